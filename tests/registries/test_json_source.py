"""JSON registries in every shape, and everything that can be wrong with them."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.errors import Severity
from evaltui.core.json_value import Json
from evaltui.registries.json_source import parse_tools
from evaltui.registries.source import SourceRead
from evaltui.registries.text_file import JSON_LIMIT, TextFile
from tests.registries.projects import read, write

SCHEMA: Json = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
ONE: dict[str, Json] = {"name": "a", "description": "A."}

SHAPES: dict[str, Json] = {
    "contract": {"tools": [{**ONE, "parameters": SCHEMA}]},
    "array": [{**ONE, "params": {"city": {"type": "string"}}}],
    "openai": [{"type": "function", "function": {**ONE, "parameters": SCHEMA}}],
    "responses": [{"type": "function", **ONE, "parameters": SCHEMA, "strict": True}],
    "functions": {"functions": [{**ONE, "parameters": SCHEMA}]},
    "anthropic": {"tools": [{**ONE, "input_schema": SCHEMA}]},
    "mcp": {"tools": [{**ONE, "inputSchema": SCHEMA, "annotations": {"readOnlyHint": True}}]},
    "mcp answer": {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {"tools": [{**ONE, "inputSchema": SCHEMA}]},
    },
    "map": {"tools": {"a": {"description": "A.", "schema": {"city": "string"}}}},
    "alone": {**ONE, "schema": SCHEMA},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_gives_the_same_tool(shape: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools.json": json.dumps(SHAPES[shape])})
    found = read(tmp_path, "tools.json")
    assert found.problems == ()
    (tool,) = found.registry
    assert (tool.name, tool.description, tool.parameters) == ("a", "A.", SCHEMA)
    assert (tool.file, tool.line, tool.depends_on) == ("tools.json", 1, ("tools.json",))


def test_lines_point_at_each_tool(tmp_path: Path) -> None:
    text = '{"note": [1,\n2], "tools": [\n  {"name": "a"},\n\n  {\n    "name": "b"\n  }\n]}'
    write(tmp_path, {"tools.json": text})
    assert [(tool.name, tool.line) for tool in read(tmp_path, "tools.json").registry] == [
        ("a", 3),
        ("b", 5),
    ]


def test_fields_are_read(tmp_path: Path) -> None:
    entry = {**ONE, "version": 2, "category": "write", "status": "Deprecated"}
    write(tmp_path, {"tools.json": json.dumps([entry])})
    (tool,) = read(tmp_path, "tools.json").registry
    assert (tool.version, tool.category, tool.status) == ("2", "write", "deprecated")


@pytest.mark.parametrize(
    ("entry", "key", "says"),
    [
        (5, "[0]", "must be an object"),
        ({}, "[0].name", "without a name"),
        ({"name": ["x"]}, "[0].name", "must be a text"),
        ({"name": "x", "description": {}}, "[0].description", "`description` of tool `x`"),
        ({"name": "x", "version": True}, "[0].version", "`version` of tool `x`"),
        ({"name": "x", "parameters": "city"}, "[0].parameters", "found a text"),
        ({"name": "x", "parameters": {"city": 5}}, "[0].parameters", "parameter `city`"),
        ({"name": "x", "status": "retired"}, "[0].status", "`retired`"),
        ({"function": {"name": ""}}, "[0].function.name", "must be a text"),
    ],
)
def test_a_wrong_entry_is_a_problem_and_the_others_go_on(
    entry: Json, key: str, says: str, tmp_path: Path
) -> None:
    write(tmp_path, {"tools.json": json.dumps([entry, {"name": "good"}], indent=1)})
    found = read(tmp_path, "tools.json")
    assert "good" in found.registry.tools
    (problem,) = found.problems
    assert (problem.file, problem.line, problem.key) == ("tools.json", 2, key)
    assert says in problem.what
    assert problem.hint


def test_two_tools_of_one_name_are_reported_with_both_lines(tmp_path: Path) -> None:
    write(tmp_path, {"tools.json": '[{"name": "a"},\n{"name": "a", "description": "A."}]'})
    (problem,) = read(tmp_path, "tools.json").problems
    assert (problem.line, problem.code) == (2, "duplicate-tool")
    assert "tools.json:1" in problem.what


@pytest.mark.parametrize(
    ("content", "code", "line", "column"),
    [
        (b"", "empty", 1, 1),
        (b" \n", "empty", 1, 1),
        (b'{"tools": [\n  {"name": "a"', "json-syntax", 2, 15),
        (b"\x89PNG\r\n\x1a\n\x00\x00\xff", "encoding", 1, 0),
        (b"\x00" * 100, "binary", 0, 0),
        (b"[NaN]", "json-syntax", 1, 2),
        (b'[{"default":\n-1e999}]', "json-syntax", 2, 1),
        (b"5", "no-tools", 1, 0),
        (b'{"agents": []}', "no-tools", 1, 0),
        (b"[" * 100_000, "json-depth", 0, 0),
        (b"[" + b"1" * 5_000 + b"]", "json-syntax", 0, 0),
        (b" " * (JSON_LIMIT + 1), "too-large", 0, 0),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_a_useless_file_is_one_problem_with_a_way_out(
    content: bytes, code: str, line: int, column: int, tmp_path: Path
) -> None:
    write(tmp_path, {"tools.json": content, "more.json": '[{"name": "a"}]'})
    found = read(tmp_path, "tools.json", "more.json")
    assert list(found.registry.tools) == ["a"]
    (problem,) = found.problems
    assert (problem.file, problem.code, problem.line, problem.column) == (
        "tools.json", code, line, column,
    )  # fmt: skip
    assert problem.hint
    assert problem.severity is Severity.ERROR


@pytest.mark.parametrize(
    ("document", "what", "hint"),
    [
        ({"openapi": "3.1.0", "paths": {}}, "describes an API", 'type = "openapi"'),
        ({"swagger": "2.0", "paths": {}}, "describes an API", 'type = "openapi"'),
        ({"manifest_version": "0.3", **ONE}, "an MCP bundle", 'type = "mcp"'),
        ({"dxt_version": "0.1", **ONE}, "an MCP bundle", 'type = "mcp"'),
    ],
)
def test_a_file_of_another_kind_is_said_with_where_its_tools_are(
    document: Json, what: str, hint: str, tmp_path: Path
) -> None:
    write(tmp_path, {"x.json": json.dumps(document)})
    found = read(tmp_path, "x.json")
    assert list(found.registry.tools) == []
    (problem,) = found.problems
    assert what in problem.what
    assert hint in problem.hint


def test_a_bundle_that_lists_its_tools_is_read(tmp_path: Path) -> None:
    bundle = {"manifest_version": "0.3", "name": "x", "description": "X.", "tools": [ONE]}
    write(tmp_path, {"manifest.json": json.dumps(bundle)})
    assert list(read(tmp_path, "manifest.json").registry.tools) == ["a"]


def test_a_group_is_read_for_the_tools_that_it_holds(tmp_path: Path) -> None:
    text = """[
      {"name": "group", "description": "G.", "enabled": false, "tools": [
        {"name": "a", "description": "A."}, "elsewhere",
        {"name": "inner", "tools": {
          "b": {"description": "B."}
        }}
      ]},
      {"name": "empty", "description": "E.", "tools": []},
      {"name": "c", "tools": ["x"], "parameters": {"city": "string"}},
      {"name": "d", "tools": [{"description": "D."}]}
    ]"""
    write(tmp_path, {"tools.json": text})
    found = read(tmp_path, "tools.json")
    assert [(tool.name, tool.line) for tool in found.registry] == [("a", 3), ("b", 5), ("c", 9)]
    (problem,) = found.problems
    assert (problem.key, problem.line) == ("[3].tools[0].name", 10)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_marks_of_encoding_are_understood(encoding: str, tmp_path: Path) -> None:
    write(tmp_path, {"tools.json": '[{"name": "zürich"}]'.encode(encoding)})
    assert list(read(tmp_path, "tools.json").registry.tools) == ["zürich"]


def test_a_folder_reads_all_its_lists(tmp_path: Path) -> None:
    write(tmp_path, {"t/b.json": '[{"name": "b"}]', "t/a.json": '[{"name": "a"}]'})
    assert list(read(tmp_path, "t").registry.tools) == ["a", "b"]


def test_a_glob_means_the_lists_that_it_names(tmp_path: Path) -> None:
    files = ("t/b.json", "t/more/a.json", "t/package.json", "t/node_modules/x/c.json")
    write(tmp_path, {name: f'[{{"name": "{name[-6]}"}}]' for name in files})
    assert list(read(tmp_path, "t/*.json").registry.tools) == ["b"]
    assert list(read(tmp_path, "t/**/*.json").registry.tools) == ["b", "a"]
    assert list(read(tmp_path, "t/node_modules/x/*.json").registry.tools) == ["c"]
    (problem,) = read(tmp_path, "u/*.json").problems
    assert problem.what == "no JSON file is named like this"


TEXT = json.dumps(
    {"tools": [{**ONE, "parameters": SCHEMA}, {"name": "é", "status": "x"}]}, indent=1
)


@given(st.integers(0, len(TEXT)), st.text(max_size=3))
def test_no_truncated_text_raises(length: int, added: str) -> None:
    parse_tools(TextFile("tools.json", TEXT[:length] + added, ""), "s")


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "tools",
                    "name",
                    "function",
                    "parameters",
                    "type",
                    "status",
                    "properties",
                    "required",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(JSON_VALUES)
def test_no_document_raises(document: Json) -> None:
    parse_tools(TextFile("tools.json", json.dumps(document), ""), "s")


@given(st.permutations(["a", "b", "c", "d"]))
def test_order_in_the_file_never_changes_a_definition(names: list[str]) -> None:
    entries = [{"name": name, "description": name.upper()} for name in names]
    found = parse_tools(TextFile("tools.json", json.dumps(entries), ""), "s")
    assert isinstance(found, SourceRead)
    assert {tool.name: tool.description for tool in found.tools} == {
        name: name.upper() for name in "abcd"
    }
