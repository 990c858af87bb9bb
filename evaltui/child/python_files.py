"""Which files of a project a Python module is made of, found without running any of them."""

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from evaltui.child.installed import Installed, holds_module, installed
from evaltui.child.interpreter import project_python
from evaltui.child.made_imports import listed_names, made_imports
from evaltui.child.module_files import COMPILED, Listings, resolved
from evaltui.files import is_folder, read_file

MAX_FILES = 2_000
_DEEPEST = 200
"""Packages within packages, more than which no program has: each level is looked for."""
_SKIPPED = frozenset({"site-packages", "node_modules", "__pycache__", "dist-packages"})


def module_file(target: str, root: Path) -> Path | None:
    """The file of `package.module` or `path/file.py`; `None` when it lies outside the project."""
    if target.endswith(".py"):
        return root / target
    words = target.split(".")
    if len(words) > _DEEPEST:
        return None
    *_, last = resolved(words, (root, root / "src"), Listings())
    return last.files[0] if last.files else None


class ModuleTree(NamedTuple):
    """What a module is made of."""

    files: frozenset[Path]
    missing: frozenset[Path]
    """Where a module would be found that is not there, or that would be found before one that is;
    below the root."""
    is_whole: bool = True
    """Whether these are all that it is made of, but for files that it reads."""


def module_tree(start: Path, root: Path, python: str = "") -> ModuleTree:
    """`start` and every file below `root` that it imports, directly or not.

    Imports inside of functions count, and calls with the name of a module. It is not whole where
    others are made up at run time, where a file of it does not parse, or where something is
    imported that is neither found nor installed for the interpreter, which may be the project's: by
    default that of `project_python`.
    """
    tree = _Walk(start.parent, root, python).tree([start])
    linked = _below(start, root)
    if linked.parent == start.parent:
        return tree
    # Python follows a link before it looks beside the script; whoever imports it does not.
    return _both(tree, _Walk(linked.parent, root, python).tree([start]))


def imported_files(start: Path, root: Path) -> frozenset[Path]:
    """The files of its `module_tree`."""
    return module_tree(start, root).files


def tree_of_target(target: str, root: Path, python: str = "") -> ModuleTree | None:
    """What loading the file of `module_file` runs, the packages above a module too; `None` without
    such a file."""
    if (start := module_file(target, root)) is None:
        return None
    if target.endswith(".py"):
        return module_tree(start, root, python)
    walk = _Walk(root, root, python)
    return walk.tree([start, *walk.files(target.split("."))])


def tree_of_module(target: str, folder: Path, root: Path, python: str = "") -> ModuleTree:
    """What `python -m target` runs when it is started in a folder: the module or the package's
    `__main__`, the packages above it, and all that these import below `root`."""
    words, walk = target.split("."), _Walk(folder, root, python)
    if not all(map(str.isidentifier, words)):
        return walk.tree(())
    return walk.tree({*walk.files(words), *walk.files([*words, "__main__"])})


def tree_of_code(code: str, folder: Path, root: Path, python: str = "") -> ModuleTree | None:
    """What `python -c code` imports below `root` when it is started in a folder; `None` where that
    is no Python."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    walk = _Walk(folder, root, python)
    return walk.tree([*walk.imports(tree, folder)])


def _both(one: ModuleTree, other: ModuleTree) -> ModuleTree:
    return ModuleTree(
        one.files | other.files, one.missing | other.missing, one.is_whole and other.is_whole
    )


def _below(path: Path, root: Path) -> Path:
    """Where links lead, named from the root as it is given; the path itself where that is out of
    the project."""
    try:
        return root / path.resolve().relative_to(root.resolve())
    except (OSError, ValueError, RuntimeError):  # out of it, or a link to itself
        return path


class _Walk:
    """From some modules to all that they import."""

    def __init__(self, beside: Path, root: Path, python: str) -> None:
        """`beside`: the folder in which Python looks first."""
        self._python = python
        self._installed: Installed | None = None
        self._is_elsewhere: dict[tuple[str, ...], bool] = {}
        self._root = root
        self._places = tuple(dict.fromkeys((beside, root, root / "src")))
        self._listings = Listings()
        self._known: dict[tuple[tuple[str, ...], tuple[Path, ...]], list[Path]] = {}
        """What was found, by words and places: many modules import the same."""
        self._own: dict[Path, bool] = {}
        """By folder."""
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
            waiting += self._linked(path)
            waiting += [file for file in self._imports(path) if file not in found]
        is_whole = self._is_whole and not waiting
        return ModuleTree(frozenset(found), frozenset(self._missing), is_whole)

    def files(self, words: list[str], places: tuple[Path, ...] = ()) -> Iterator[Path]:
        """The module's file, the `__init__.py` of each package above it, and what another name for
        the same stands for: of `h.py` and `h/__init__.py` either may come or go."""
        if len(words) > _DEEPEST:
            self._is_whole = False
            return
        if places:
            yield from self._found(words, places)
            return
        if words[0] in sys.stdlib_module_names:
            for one in resolved(words, self._places, self._listings):
                yield from filter(self._is_own, one.files)
            return
        found = [*self._found(words, self._places)]
        # Others hold no file of the project, and nobody agreed to their being listed.
        linked = [one for one in self._of_interpreter.linked if self._is_own(one / "any")]
        found += self._found(words, tuple(linked)) if linked else ()
        yield from found
        if not found and self._may_be_elsewhere(words):
            self._is_whole = False

    def _found(self, words: list[str], places: tuple[Path, ...]) -> list[Path]:
        key = (tuple(words), places)
        if key not in self._known:
            found = self._known[key] = []
            for one in resolved(words, places, self._listings):
                self._missing.update(filter(self._is_own, one.missing))
                found += filter(self._is_own, one.files)
        return self._known[key]

    @property
    def _of_interpreter(self) -> Installed:
        if self._installed is None:
            self._installed = installed(self._python or project_python(self._root))
        return self._installed

    def _may_be_elsewhere(self, words: list[str]) -> bool:
        """Whether a module that is not found may be one of the project's in a place that nobody
        knows. What the project has nothing of comes from elsewhere, if at all."""
        key = tuple(words)
        if key not in self._is_elsewhere:
            own = self._of_interpreter
            is_one = any(is_folder(one.joinpath(*words)) for one in (*self._places, *own.linked))
            self._is_elsewhere[key] = not (
                is_one or own.has(words, self._root, self._listings)
            ) and (bool(own.packages and not own.is_known) or holds_module(self._root, words[0]))
        return self._is_elsewhere[key]

    def _linked(self, path: Path) -> Iterator[Path]:
        """What it is a link to: that is edited, and the link may be exchanged."""
        if (target := _below(path, self._root)) != path and self._is_own(target):
            yield target

    def _imports(self, path: Path) -> Iterator[Path]:
        if path.name.endswith(COMPILED):
            self._is_whole = False  # it may import others, which nobody sees
            return
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
                    yield from self._packages(here[0])
                found = [*self.files(words, here)] if words else [here[0] / "__init__.py"]
                yield from found if words else ()
                names: Iterable[str] = (alias.name for alias in node.names)
                if node.names[0].name == "*":
                    names = self._listed(found, words)
                for name in names:
                    yield from self.files([*words, name], here)

    def _listed(self, found: list[Path], words: list[str]) -> Iterator[str]:
        """What a package of that name, which is among these files, has imported for `*`."""
        for file in found:
            if file.parts[-len(words) - 1 :] == (*words, "__init__.py"):
                try:
                    listed = listed_names(ast.parse(read_file(file)))
                except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
                    continue  # the file itself is looked at as well
                self._is_whole &= listed.are_all
                yield from listed.names

    def _packages(self, folder: Path) -> Iterator[Path]:
        """What runs before a module in a folder is imported as part of its package."""
        for one in (folder, *folder.parents):
            if one == self._root or self._root not in one.parents:
                return
            there, missing = self._listings.modules(one, "__init__")
            self._missing.update(missing)
            yield from there

    def _is_own(self, file: Path) -> bool:
        folder = file.parent
        if folder not in self._own:
            self._own[folder] = self._root in file.parents and not _SKIPPED & set(file.parts)
        return self._own[folder]


def _above(folder: Path, levels: int) -> Path:
    for _ in range(levels):
        folder = folder.parent
    return folder
