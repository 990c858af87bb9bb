"""Which files of a project a Python module is made of, found without running any of them."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from evaltui.files import is_file, read_file

MAX_FILES = 2_000
_SKIPPED = frozenset({"site-packages", "node_modules", "__pycache__", "dist-packages"})


def module_file(target: str, root: Path) -> Path | None:
    """The file of `package.module` or `path/file.py`; `None` when it lies outside the project."""
    if target.endswith(".py"):
        return root / target
    return _find(target.split("."), (root, root / "src"))


def imported_files(start: Path, root: Path) -> frozenset[Path]:
    """`start` and every file below `root` that it imports, directly or not.

    Imports inside of functions count; those made up at run time cannot be seen. A file that does
    not parse belongs to it, what it imports is unknown.
    """
    return _with_imports([start], start.parent, root)


def files_of_module(target: str, folder: Path, root: Path) -> frozenset[Path]:
    """What `python -m target` runs when it is started in a folder: the module or the package's
    `__main__`, the packages above it, and all that these import below `root`."""
    words, places = target.split("."), _places(folder, root)
    if not all(map(str.isidentifier, words)):
        return frozenset()
    starts = {*_files(words, places, root), *_files([*words, "__main__"], places, root)}
    return _with_imports(starts, folder, root)


def _with_imports(starts: Iterable[Path], beside: Path, root: Path) -> frozenset[Path]:
    """`beside`: the folder in which Python looks first."""
    found: set[Path] = set()
    waiting = [*starts]
    while waiting and len(found) < MAX_FILES:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        waiting += [file for file in _imports(path, beside, root) if file not in found]
    return frozenset(found)


def _places(beside: Path, root: Path) -> tuple[Path, ...]:
    return tuple(dict.fromkeys((beside, root, root / "src")))


def _imports(path: Path, beside: Path, root: Path) -> Iterator[Path]:
    try:
        tree = ast.parse(read_file(path))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return
    places = _places(beside, root)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _files(alias.name.split("."), places, root)
        elif isinstance(node, ast.ImportFrom):
            words = node.module.split(".") if node.module else []
            here = places
            if node.level:
                folder = path.parent
                for _ in range(node.level - 1):
                    folder = folder.parent
                here = (folder,)
            if words:
                yield from _files(words, here, root)
            for alias in node.names:
                yield from _files([*words, alias.name], here, root)


def _files(words: list[str], places: tuple[Path, ...], root: Path) -> Iterator[Path]:
    """The module's file, and the `__init__.py` of each package above it."""
    for end in range(1, len(words) + 1):
        file = _find(words[:end], places)
        if file is not None and root in file.parents and not _SKIPPED & set(file.parts):
            yield file


def _find(words: list[str], places: tuple[Path, ...]) -> Path | None:
    for place in places:
        path = place.joinpath(*words)
        for file in (path.with_name(f"{path.name}.py"), path / "__init__.py"):
            if is_file(file):
                return file
    return None
