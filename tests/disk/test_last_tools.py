"""Last good tools on disk."""

from pathlib import Path

import pytest

from evaltui.core.tool import LastGood, ToolDefinition, ToolStatus, Unresolved
from evaltui.disk.last_tools import FOLDER, ToolFiles

TOOL = ToolDefinition(
    "look",
    "Looks é",
    "1.2",
    "eyes",
    {"type": "object", "properties": {"q": {"type": "string"}}},
    ToolStatus.DEPRECATED,
    "mcp://shop",
    3,
    ("mcp://shop", ".mcp.json"),
    (Unresolved("version", "x()", "a.ts", 2),),
)


def test_what_is_kept_is_loaded(tmp_path: Path) -> None:
    places = {"mcp://shop": LastGood((TOOL,), 12.5), "mcp://empty": LastGood((), 1.0)}
    ToolFiles(tmp_path).keep("abc", places)
    assert ToolFiles(tmp_path).load("abc") == places
    assert ToolFiles(tmp_path).load("another") == {}
    ToolFiles(tmp_path).keep("abc", {})
    assert list((tmp_path / FOLDER).iterdir()) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        "3",
        '{"version": 1}',
        '{"version": 1, "places": []}',
        '{"version": 1, "places": {"x": 3}}',
        '{"version": 1, "places": {"x": {"at": "soon", "tools": []}}}',
        '{"version": 1, "places": {"x": {"at": 1, "tools": [{"name": 3}]}}}',
        '{"version": 1, "places": {"x": {"at": 1, "tools": 5}}}',
    ],
)
def test_a_damaged_file_is_an_empty_one_and_set_aside(tmp_path: Path, text: str) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "abc.json").write_text(text)
    files = ToolFiles(tmp_path)
    assert files.load("abc") == {}
    assert [problem.code for problem in files.problems] == ["set-aside"]
    assert (tmp_path / FOLDER / "abc.json.damaged").read_text() == text
    assert files.load("abc") == {}
    assert len(files.problems) == 1


def test_a_file_of_another_version_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "abc.json").write_text('{"version": 2, "places": {}}')
    files = ToolFiles(tmp_path)
    assert files.load("abc") == {}
    assert files.problems == []


def test_a_folder_that_cannot_be_written_to_costs_nothing_else(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("a file")
    ToolFiles(tmp_path).keep("abc", {"x": LastGood((TOOL,), 1.0)})
    assert ToolFiles(tmp_path).load("abc") == {}
