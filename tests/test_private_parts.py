"""The package uses no private part of a library but those that the decision lists with a test."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.screen import Screen
from textual.widget import Widget

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "evaltui"
INIT = "__init__.py"
PAGE = (ROOT / "docs" / "decisions" / "0012-private-parts.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| \w+ \| `([\w./]+)` \| .+ \| `([\w./]+)` \|$", PAGE, re.MULTILINE)
"""Name, file of ours, test."""
BASES = (App, Screen, Widget, LinuxDriver)
DOCUMENTED = frozenset({"_replace", "_fields", "_exit"})


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("_") and name not in DOCUMENTED


def own_names(classes: Iterable[ast.ClassDef]) -> Iterator[str]:
    """What these classes define: methods, attributes, and those they give themselves."""
    for one in classes:
        for part in one.body:
            match part:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    yield name
                case ast.Assign(targets=targets):
                    yield from (each.id for each in targets if isinstance(each, ast.Name))
                case ast.AnnAssign(target=ast.Name(id=name)):
                    yield name
        for node in ast.walk(one):
            match node:
                case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                    yield name


def defined_in(path: Path, trees: Mapping[Path, ast.Module], heirs: frozenset[Path]) -> set[str]:
    """By the classes of a file of ours, and by those of ours that they derive from. A name that
    another file defines tells nothing: `_context` of a class of ours is none of asyncio."""
    classes = [node for node in ast.walk(trees[path]) if isinstance(node, ast.ClassDef)]
    bases = {node.id for one in classes for node in one.bases if isinstance(node, ast.Name)}
    found = {*own_names(classes)}
    for node in ast.walk(trees[path]):
        if isinstance(node, ast.ImportFrom) and bases & {alias.name for alias in node.names}:
            stem = ROOT.joinpath(*str(node.module).split("."))
            other = stem.with_suffix(".py") if stem.with_suffix(".py") in trees else stem / INIT
            if other in trees and other not in heirs:
                found |= defined_in(other, trees, heirs | {path})
    return found


def names_of_others(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Private names that are looked up on something, or imported from outside the package."""
    for node in nodes:
        match node:
            case ast.Attribute(attr=name):
                yield name
            case ast.ImportFrom(module=str(module), names=names, level=0):
                if module.split(".")[0] not in ("evaltui", "__future__"):
                    yield from (*module.split("."), *(alias.name for alias in names))
            case ast.Import(names=names):
                yield from (part for alias in names for part in alias.name.split("."))


def private_parts(trees: Mapping[Path, ast.Module]) -> Iterator[tuple[str, Path]]:
    """Private names that a file uses and that are not its own."""
    for path, tree in trees.items():
        if names := {name for name in names_of_others(ast.walk(tree)) if is_private(name)}:
            yield from ((name, path) for name in names - defined_in(path, trees, frozenset()))


@pytest.mark.slow
def test_private_parts_are_those_of_the_decision() -> None:
    trees = {path: ast.parse(path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
    used = {(name, path.relative_to(PACKAGE).as_posix()) for name, path in private_parts(trees)}
    ours = {
        (name, path.relative_to(PACKAGE).as_posix())
        for path, tree in trees.items()
        if path.is_relative_to(PACKAGE / "tui")
        for name in overridden(tree)
    }
    assert used | ours == {(name, file) for name, file, _ in ROWS}


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("class A:\n    def f(self, loop): return loop._ready", {"_ready"}),
        ("class A:\n    def f(self, loop): loop._ready = []", {"_ready"}),
        ("def f(loop):\n    _ready = loop._ready", {"_ready"}),
        ("class A:\n    def f(self): self._ready = self._ready or 1", set()),
        ("class A:\n    _ready: int\n    def f(self, other): return other._ready", set()),
        ("from evaltui.base import Base\nclass A(Base):\n    def f(self): self._of_base()", set()),
        ("from evaltui.base import Base\nclass A:\n    def f(self): self._of_base()", {"_of_base"}),
        ("class A:\n    def f(self): self._of_base()", {"_of_base"}),
        ("from asyncio._x import y", {"_x"}),
    ],
)
def test_a_name_of_ours_elsewhere_is_no_leave_to_use_it_of_a_library(
    written: str, found: set[str]
) -> None:
    base = "class Base:\n    def _of_base(self): ...\n    def _ready(self): ..."
    trees = {PACKAGE / "base.py": ast.parse(base), PACKAGE / "mine.py": ast.parse(written)}
    assert {name for name, _ in private_parts(trees)} == found


def overridden(tree: ast.Module) -> Iterator[str]:
    """Methods of ours that take the place of a private one of Textual."""
    for node in ast.walk(tree):
        for part in node.body if isinstance(node, ast.ClassDef) else ():
            name = getattr(part, "name", "")
            if is_private(name) and any(hasattr(base, name) for base in BASES):
                yield name


def test_each_has_a_test() -> None:
    assert ROWS
    for _, file, test in ROWS:
        assert (PACKAGE / file).is_file()
        assert (ROOT / test).is_file()
