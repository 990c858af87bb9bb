"""The package uses no private part of a library but those that the decision lists with a test."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.screen import Screen
from textual.widget import Widget

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "evaltui"
PAGE = (ROOT / "docs" / "decisions" / "0012-private-parts.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| \w+ \| `([\w./]+)` \| .+ \| `([\w./]+)` \|$", PAGE, re.MULTILINE)
"""Name, file of ours, test."""
BASES = (App, Screen, Widget, LinuxDriver)
DOCUMENTED = frozenset({"_replace", "_fields", "_exit"})


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("_") and name not in DOCUMENTED


def own_names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """What our code defines itself: functions, classes, attributes and variables."""
    for node in nodes:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name):
                yield name
            case ast.Attribute(attr=name, ctx=ast.Store()) | ast.Name(id=name, ctx=ast.Store()):
                yield name


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


def test_private_parts_are_those_of_the_decision() -> None:
    defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Attribute, ast.Name)
    kinds = (*defined, ast.Import, ast.ImportFrom)
    trees = {
        path: [
            node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, kinds)
        ]
        for path in sorted(PACKAGE.rglob("*.py"))
    }
    own = {name for nodes in trees.values() for name in own_names(nodes)}
    used = {
        (name, path.relative_to(PACKAGE).as_posix())
        for path, nodes in trees.items()
        for name in names_of_others(nodes)
        if is_private(name) and name not in own
    }
    ours = {
        (name, path.relative_to(PACKAGE).as_posix())
        for path in sorted((PACKAGE / "tui").rglob("*.py"))
        for name in overridden(path)
    }
    assert used | ours == {(name, file) for name, file, _ in ROWS}


def overridden(path: Path) -> Iterator[str]:
    """Methods of ours that take the place of a private one of Textual."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        for part in node.body if isinstance(node, ast.ClassDef) else ():
            name = getattr(part, "name", "")
            if is_private(name) and any(hasattr(base, name) for base in BASES):
                yield name


def test_each_has_a_test() -> None:
    assert ROWS
    for _, file, test in ROWS:
        assert (PACKAGE / file).is_file()
        assert (ROOT / test).is_file()
