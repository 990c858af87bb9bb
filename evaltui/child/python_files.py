"""Which files of a project a Python module is made of, found without running any of them."""

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from evaltui.child.made_imports import made_imports
from evaltui.files import is_file, read_file

MAX_FILES = 2_000
_DEEPEST = 200
"""Packages within packages, more than which no program has: each level is looked for."""
_SKIPPED = frozenset({"site-packages", "node_modules", "__pycache__", "dist-packages"})


def module_file(target: str, root: Path) -> Path | None:
    """The file of `package.module` or `path/file.py`; `None` when it lies outside the project."""
    if target.endswith(".py"):
        return root / target
    return _find(target.split("."), (root, root / "src"), [])


class ModuleTree(NamedTuple):
    """What a module is made of."""

    files: frozenset[Path]
    missing: frozenset[Path]
    """Where a module would be found that is not there, or that would be found before one that is;
    below the root."""
    is_whole: bool = True
    """Whether these are all that it is made of, but for files that it reads."""


def module_tree(start: Path, root: Path) -> ModuleTree:
    """`start` and every file below `root` that it imports, directly or not.

    Imports inside of functions count, and calls with the name of a module. It is not whole where
    others are made up at run time, or where a file of it does not parse.
    """
    return _Walk(start.parent, root).tree([start])


def imported_files(start: Path, root: Path) -> frozenset[Path]:
    """The files of its `module_tree`."""
    return module_tree(start, root).files


def tree_of_module(target: str, folder: Path, root: Path) -> ModuleTree:
    """What `python -m target` runs when it is started in a folder: the module or the package's
    `__main__`, the packages above it, and all that these import below `root`."""
    words, walk = target.split("."), _Walk(folder, root)
    if not all(map(str.isidentifier, words)):
        return walk.tree(())
    return walk.tree({*walk.files(words), *walk.files([*words, "__main__"])})


def tree_of_code(code: str, folder: Path, root: Path) -> ModuleTree | None:
    """What `python -c code` imports below `root` when it is started in a folder; `None` where that
    is no Python."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    walk = _Walk(folder, root)
    return walk.tree([*walk.imports(tree, folder)])


class _Walk:
    """From some modules to all that they import."""

    def __init__(self, beside: Path, root: Path) -> None:
        """`beside`: the folder in which Python looks first."""
        self._root = root
        self._places = tuple(dict.fromkeys((beside, root, root / "src")))
        self._missing: set[Path] = set()
        self._is_whole = True

    def tree(self, starts: Iterable[Path]) -> ModuleTree:
        found: set[Path] = set()
        waiting = [*starts]
        while waiting and len(found) < MAX_FILES:
            path = waiting.pop()
            if path in found:
                continue
            found.add(path)
            waiting += [file for file in self._imports(path) if file not in found]
        is_whole = self._is_whole and not waiting
        return ModuleTree(frozenset(found), frozenset(self._missing), is_whole)

    def files(self, words: list[str], places: tuple[Path, ...] = ()) -> Iterator[Path]:
        """The module's file, and the `__init__.py` of each package above it."""
        if len(words) > _DEEPEST:
            self._is_whole = False
            return
        for end in range(1, len(words) + 1):
            tried: list[Path] = []
            file = _find(words[:end], places or self._places, tried)
            if places or words[0] not in sys.stdlib_module_names:
                self._missing.update(filter(self._is_own, tried))
            if file is not None and self._is_own(file):
                yield file

    def _imports(self, path: Path) -> Iterator[Path]:
        try:
            tree = ast.parse(read_file(path))
        except OSError:
            return  # there is none: it is awaited, or told of when it is asked
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            self._is_whole = False
            return
        yield from self.imports(tree, path.parent)

    def imports(self, tree: ast.AST, beside: Path) -> Iterator[Path]:
        """The files of all that a module in that folder imports."""
        made = made_imports(tree)
        self._is_whole &= made.are_all
        for name in made.names:
            dots = len(name) - len(name.lstrip("."))
            words = name[dots:].split(".")
            if all(map(str.isidentifier, words)):
                yield from self.files(words, (_above(beside, dots - 1),) if dots else ())
            else:
                self._is_whole = False
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield from self.files(alias.name.split("."))
            elif isinstance(node, ast.ImportFrom):
                words = node.module.split(".") if node.module else []
                here: tuple[Path, ...] = ()
                if node.level:
                    here = (_above(beside, node.level - 1),)
                if words:
                    yield from self.files(words, here)
                for alias in node.names:
                    yield from self.files([*words, alias.name], here)

    def _is_own(self, file: Path) -> bool:
        return self._root in file.parents and not _SKIPPED & set(file.parts)


def _above(folder: Path, levels: int) -> Path:
    for _ in range(levels):
        folder = folder.parent
    return folder


def _find(words: list[str], places: tuple[Path, ...], tried: list[Path]) -> Path | None:
    """Adds to `tried` where it is not."""
    for place in places:
        path = place.joinpath(*words)
        for file in (path.with_name(f"{path.name}.py"), path / "__init__.py"):
            if is_file(file):
                return file
            tried.append(file)
    return None
