"""What cannot be carried over is told with file, place and what."""

import json
from typing import Any

import pytest

from evaltui.core.errors import Problem
from evaltui.traces.importers.importing import Source
from evaltui.traces.importers.records import read_records
from evaltui.traces.reading import trace_body
from tests.traces.importers.fixtures import BY_FRAMEWORK, BY_PROVIDER, imported

USER = {"role": "user", "content": "a"}
CALL = {"id": "c", "function": {"name": "look", "arguments": "{"}}


@pytest.mark.parametrize(
    ("record", "kind", "key"),
    [
        ({"messages": [USER], "colour": 1}, "unknown_top_level_fields", ""),
        ({"messages": []}, "empty_trace", ""),
        ({"messages": [USER, 4]}, "not_an_object", "messages[1]"),
        ({"messages": "a", "input": "b"}, "not_a_list", "messages"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url"}]}, USER]},
            "dropped_content",
            "messages[0]",
        ),
        ({"output": [{"type": "dance"}], "input": "a"}, "dropped_item", "output[0]"),
        (
            {"choices": [{"message": USER}, {"message": USER}]},
            "dropped_alternative",
            "choices[1]",
        ),
        (
            {"messages": [{"role": "assistant", "tool_calls": [CALL]}]},
            "unparsed_arguments",
            "messages[0].tool_calls[0]",
        ),
        ({"messages": [{**USER, "ts": "noon"}]}, "unreadable_time", "messages[0]"),
        (
            {"messages": [USER, {"role": "assistant", "tool_calls": [{"id": "c"}]}]},
            "call_without_tool",
            "messages[1].tool_calls[0]",
        ),
        (
            {"messages": [{"role": "tool", "tool_call_id": "x", "content": "1"}]},
            "result_without_call",
            "messages[0]",
        ),
    ],
)
def test_a_diagnostic_says_where(record: dict[str, Any], kind: str, key: str) -> None:
    content = json.dumps({"records": [{"messages": [USER]}, record]}, indent=1).encode()
    (one,) = imported(content, file="b.json").diagnostics
    problem = one.problem()
    assert (one.kind, one.record_index, problem.file) == (kind, 1, "b.json")
    assert problem.key == f"records[1].{key}".rstrip(".")
    assert problem.line > 6, "the second record begins there"
    assert problem.hint
    document = one.document()
    assert (document["line"], document["hint"]) == (problem.line, problem.hint)


ITEMS = [
    {"type": "function_call", "call_id": "a", "name": "look", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "a", "output": "{'degrees': 12}"},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "12"}]},
    {"type": "web_search_call", "id": "w", "action": {}, "output": "x"},
    {"type": "reasoning", "output": "x"},
]


def test_no_item_of_a_list_becomes_a_case() -> None:
    found = imported(json.dumps(ITEMS).encode())
    assert not found.cases
    assert {one.record_index for one in found.diagnostics if one.is_loss} == {*range(len(ITEMS))}
    lone = [one.record_index for one in found.diagnostics if one.kind == "lone_item"]
    assert lone == [0, 1, 3, 4]


@pytest.mark.parametrize("source", [BY_PROVIDER, BY_FRAMEWORK], ids=["provider", "framework"])
def test_no_event_is_made_of_what_says_nothing(source: Source) -> None:
    run = {"events": [{"name": "start", "time": "2026-01-01"}, {"name": "end"}]}
    found = imported(json.dumps(run).encode(), source)
    assert [*found.cases] == []
    kinds = {one.kind for one in found.diagnostics}
    assert kinds == {"dropped_item", "empty_trace"}


def test_a_broken_line_costs_only_itself() -> None:
    good = json.dumps({"messages": [USER]}).encode()
    found = imported(good + b"\n{\n\n3\n" + good + b"\n", file="a.jsonl")
    assert [(one.kind, one.line) for one in found.diagnostics] == [
        ("broken_record", 2),
        ("not_an_object", 4),
    ]
    assert [case.id for case in found.cases] == ["case-1", "case-4"]
    assert found.total == 4


def test_json_lines_are_known_by_any_name() -> None:
    good = json.dumps({"messages": [USER]}).encode()
    assert len(imported(good + b"\n" + good, file="log.txt").cases) == 2


@pytest.mark.parametrize("content", [b"", b"{", b"[1,]", b"\xff", b"NaN", b"[" * 300 + b"]" * 300])
def test_a_file_that_is_no_json_is_one_problem(content: bytes) -> None:
    found = read_records("a.json", content)
    assert isinstance(found, Problem)
    assert found.file == "a.json"


def test_a_result_that_fits_two_calls_is_no_guess() -> None:
    calls = [{"function": {"name": name, "arguments": "{}"}} for name in ("a", "b")]
    messages = [{"role": "assistant", "tool_calls": calls}, {"role": "tool", "content": "1"}]
    found = imported(json.dumps({"messages": messages}).encode())
    assert [one.kind for one in found.diagnostics] == ["result_without_call"]


def test_a_call_that_langchain_could_not_read_is_a_call_all_the_same() -> None:
    call = {"name": "book", "args": '{"x": ', "id": "c", "type": "invalid_tool_call"}
    said = {"type": "ai", "content": "", "tool_calls": [], "invalid_tool_calls": [call]}
    messages = [{"type": "human", "content": "book it"}, said]
    found = imported(json.dumps({"messages": messages}).encode(), BY_FRAMEWORK)
    [told] = found.diagnostics
    assert (told.kind, told.document()["key"]) == (
        "unparsed_arguments",
        "messages[1].invalid_tool_calls[0]",
    )
    [_, made] = trace_body(found.cases[0]).trace
    assert (made.type, made.tool, made.input) == ("tool_call", "book", '{"x": ')


def test_what_is_nested_deeply_is_kept_as_text() -> None:
    deep: Any = "x"
    for _ in range(150):
        deep = [deep]
    record = {"steps": [{"type": "tool_call", "tool": "a", "input": deep}]}
    found = imported(json.dumps(record).encode())
    assert [one.kind for one in found.diagnostics] == ["too_deep"]
    suite: Any = found.suite("d", BY_PROVIDER, "a")
    assert json.loads(suite["cases"][0]["trace"][0].input) == deep


def test_a_record_that_is_no_object_is_named_by_its_file_and_its_number() -> None:
    listed, lines = b'[{"messages": []}, 4]', b'{"messages": []}\n4\n'
    for file, text in (("export.json", listed), ("export.jsonl", lines)):
        read = read_records(file, text)
        assert not isinstance(read, Problem)
        (broken,) = read.broken
        assert (broken.kind, broken.file, broken.record_index) == (*("not_an_object", file, 1),)
