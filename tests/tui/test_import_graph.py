"""No module of the dashboard imports another that, by any way round, imports it.

Imports inside functions count as well: they only put a circle off. Those for type checkers do not.
"""

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "evaltui"
PATHS = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in (PACKAGE / "tui").rglob("*.py")
}
TABLE = "evaltui.tui.commands"


def imported(node: ast.AST) -> Iterator[str]:
    """Modules of the dashboard that a piece of code imports."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                continue
            case ast.ImportFrom(module=str(module), names=names):
                for alias in names:
                    whole = f"{module}.{alias.name}"
                    yield whole if whole in PATHS else module
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
        yield from imported(child)


@pytest.fixture(scope="module")
def graph() -> dict[str, set[str]]:
    return {
        name: {found for found in imported(ast.parse(path.read_text("utf-8"))) if found in PATHS}
        for name, path in PATHS.items()
    }


def test_there_is_no_circle(graph: dict[str, set[str]]) -> None:
    assert len(graph) > 50
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_nothing_below_the_screen_imports_the_table_of_commands(graph: dict[str, set[str]]) -> None:
    importers = {name for name, found in graph.items() if TABLE in found}
    assert importers == {"evaltui.tui.screens.dashboard"}
