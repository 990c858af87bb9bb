"""A folder means the scripts and the JSON lists in it; what is left out is said."""

import sys
from pathlib import Path

import pytest

from evaltui.core.config import RegistrySource
from evaltui.core.errors import Severity
from evaltui.core.tool import ToolRegistry
from evaltui.registries import RegistryReader
from tests.registries.projects import read, script, write


def listed(*names: str) -> str:
    return "[" + ", ".join(f'{{"name": "{name}", "description": "Is."}}' for name in names) + "]"


def test_scripts_and_lists_of_a_folder_are_one_registry(tmp_path: Path) -> None:
    files = {
        "t/a.ts": script("a"),
        "t/more/b.ts": script("b"),
        "t/c.json": listed("c"),
        "t/more/tools.json": listed("d"),
    }
    found = read(write(tmp_path, files), "t")
    assert list(found.registry.tools) == ["a", "b", "c", "d"]
    assert found.problems == ()
    assert {*files} == {*found.registry.files}


def test_data_below_and_evals_are_no_tools(tmp_path: Path) -> None:
    files = {
        "t/a.ts": script("a"),
        "t/data/products.json": listed("pot"),
        "t/a.golden.json": listed("eval"),
        "t/tsconfig.json": "{}",
        "t/node_modules/x/tools.json": listed("x"),
    }
    found = read(write(tmp_path, files), "t")
    assert (list(found.registry.tools), found.problems) == (["a"], ())


def test_a_list_that_is_made_from_the_scripts_is_left_out_and_said(tmp_path: Path) -> None:
    """It is taken to be so by one tool, as it has the old name of one that is renamed."""
    write(tmp_path, {"t/a.ts": script("a"), "t/b.ts": script("b"), "t/all.json": listed("a", "c")})
    found = read(tmp_path, "t")
    assert list(found.registry.tools) == ["a", "b"]
    (problem,) = found.problems
    assert (problem.file, problem.code) == ("t/all.json", "registry-unread")
    assert problem.severity is Severity.LINT
    assert "define `a` too" in problem.what
    both = read(tmp_path, "t", "t/all.json")
    assert list(both.registry.tools) == ["a", "b", "c"], "whoever names it has it"
    assert "registry-unread" not in [problem.code for problem in both.problems]


def test_a_json_file_without_tools_beside_scripts_is_said_and_no_mistake(tmp_path: Path) -> None:
    write(tmp_path, {"t/a.ts": script("a"), "t/b.json": '{"x": 1}', "t/c.json": "[{]"})
    found = read(tmp_path, "t")
    assert [(one.file, one.severity) for one in found.problems] == [
        ("t/b.json", Severity.LINT),
        ("t/c.json", Severity.ERROR),
    ]
    (alone,) = read(write(tmp_path, {"u/b.json": '{"x": 1}'}), "u").problems
    assert alone.severity is Severity.ERROR, "what else should the folder be for"


def test_a_folder_with_neither_is_said(tmp_path: Path) -> None:
    write(tmp_path, {"t/readme.md": ""})
    (problem,) = read(tmp_path, "t").problems
    assert (problem.file, problem.what) == ("t", "no script and no JSON file in this folder")


def test_scripts_without_tools_are_said_unless_lists_have_some(tmp_path: Path) -> None:
    write(tmp_path, {"t/a.ts": "export const x = 1;"})
    (problem,) = read(tmp_path, "t").problems
    assert problem.what == "no tool definition found"
    write(tmp_path, {"t/a.json": listed("a")})
    found = read(tmp_path, "t")
    assert (list(found.registry.tools), found.problems) == (["a"], ())


@pytest.mark.parametrize(("type_", "names"), [("json", ["c"]), ("typescript", ["a"])])
def test_a_type_takes_one_kind(type_: str, names: list[str], tmp_path: Path) -> None:
    write(tmp_path, {"t/a.ts": script("a"), "t/c.json": listed("c")})
    found = RegistryReader().read(tmp_path, [RegistrySource(type_, "t")])
    assert list(found.registry.tools) == names


def test_both_kinds_keep_their_last_good_tools(tmp_path: Path) -> None:
    write(tmp_path, {"t/a.ts": script("a"), "t/c.json": listed("c")})
    reader, sources = RegistryReader(), [RegistrySource("auto", "t")]
    before = reader.read(tmp_path, sources).registry
    write(tmp_path, {"t/a.ts": "export const = {", "t/c.json": "[{"})
    found = reader.read(tmp_path, sources)
    assert list(found.registry.tools) == ["a", "c"] == list(before.tools)
    assert len(found.problems) == 2
    later = RegistryReader().read(tmp_path, sources, ToolRegistry(dict(before.tools)))
    assert list(later.registry.tools) == ["a", "c"], "also of another start"


def test_the_parser_of_scripts_is_not_loaded_for_lists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "evaltui.registries.typescript.reader"
    monkeypatch.setitem(sys.modules, name, None)  # importing it raises
    assert list(read(write(tmp_path, {"t/c.json": listed("c")}), "t").registry.tools) == ["c"]
