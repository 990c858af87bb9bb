"""Imports a module of the user's, inside of a child: the project's own files as they are now.

Loaded by its path with any Python from 3.9 on, so it imports the standard library only.
"""

from __future__ import annotations

import ast
import importlib
import importlib.machinery
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any


class FreshLoader(importlib.machinery.SourceFileLoader):
    """Compiles a source each time.

    Compiled files know it by its second and its size: of two saves within a second the first would
    go on being run.
    """

    def path_stats(self, path: str) -> dict[str, Any]:  # noqa: ARG002
        raise OSError  # without them nothing compiled is read or written


def import_fresh(root: str) -> None:
    """Have the project's own files compiled each time; packages are, once, as usual."""
    real = os.path.realpath(root)
    packages = ("site-packages", "dist-packages")
    machinery = importlib.machinery
    loaders = (
        (machinery.ExtensionFileLoader, machinery.EXTENSION_SUFFIXES),
        (FreshLoader, machinery.SOURCE_SUFFIXES),
        (machinery.SourcelessFileLoader, machinery.BYTECODE_SUFFIXES),
    )

    def finder(path: str) -> machinery.FileFinder:
        place = os.path.realpath(path or ".")
        below = place == real or place.startswith(real + os.sep)
        prefix = os.path.realpath(sys.prefix) + os.sep
        is_package = place.startswith(prefix) or any(name in place for name in packages)
        if not below or is_package or not Path(place).is_dir():  # archives are for others
            raise ImportError
        return machinery.FileFinder(path or ".", *loaders)

    sys.path_hooks.insert(0, finder)
    sys.path_importer_cache.clear()


def import_from(root: str) -> None:
    """Have modules of the project found, as it is or below `src`, its own files fresh."""
    import_fresh(root)
    sys.path.insert(0, root)
    if (Path(root) / "src").is_dir():
        sys.path.insert(1, str(Path(root) / "src"))


def load_module(place: str, root: str) -> ModuleType:
    """`package.module`, or `path/file.py` below the root, imported by its own name, or as part of
    its package where it imports relatively to that."""
    import_from(root)
    if not place.endswith(".py"):
        return importlib.import_module(place)
    path = Path(root) / place
    sys.path.insert(0, str(path.parent))
    names = in_package(path, Path(root)) if imports_relatively(path) else []
    if names:
        base = path.parents[len(names) - 1]
        sys.path.insert(0, str(base))
        return importlib.import_module(".".join(names))
    loader = FreshLoader(path.stem, str(path))
    spec = importlib.util.spec_from_file_location(path.stem, path, loader=loader)
    if spec is None or spec.loader is None:
        raise ImportError(f"`{place}` is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def imports_relatively(path: Path) -> bool:
    """Whether a file has imports such as `from . import x`; of what does not parse, none."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(tree))


def in_package(path: Path, root: Path) -> list[str]:
    """The names of the packages around a file and its own: those with `__init__.py`, else all
    folders below the root. None where a name cannot be imported."""
    names = [path.stem]
    folder = path.parent
    while (folder / "__init__.py").is_file():
        names.insert(0, folder.name)
        folder = folder.parent
    if len(names) == 1:
        try:
            names = list(path.relative_to(root).with_suffix("").parts)
        except ValueError:
            return []
    return names if len(names) > 1 and all(map(str.isidentifier, names)) else []
