"""What is lost because a key stands twice is told, and refused where nothing may be lost."""

import json
from typing import Any

import pytest

from tests.traces.importers.fixtures import imported
from tests.traces.importers.test_otlp import ASKED, CALL, LAST, chat, tool, wrapped

SAID = b'{"role": "assistant", "content": "I deleted it", "content": "fine"}'
LINE = b'{"messages": [{"role": "user", "content": "q"}, %s]}' % SAID
TWICE = LINE.rindex(b'"content"') + 1
KEY = "messages[1].content"


@pytest.mark.parametrize(
    ("content", "file", "index", "key", "place"),
    [
        (LINE, "a.json", 0, KEY, (1, TWICE)),
        (b'[{"messages": []},\n%s]' % LINE, "a.json", 1, f"[1].{KEY}", (2, TWICE)),
        (b'{"a": 1}\n%s\n' % LINE, "a.jsonl", 1, KEY, (2, TWICE)),
        (b'{"messages": [], %s' % LINE[1:], "a.json", 0, "messages", (1, 18)),
        (b'{"runs": [], "runs": [%s]}' % LINE, "a.json", 0, "runs", (1, 14)),
    ],
    ids=["record", "list", "line", "messages", "around the records"],
)
def test_a_key_that_stands_twice_in_a_record_is_told_with_its_place(
    content: bytes, file: str, index: int, key: str, place: tuple[int, int]
) -> None:
    notes = [one for one in imported(content, file=file).diagnostics if one.kind == "repeated_key"]
    first = next(one for one in notes if one.problem().key == key)
    assert (first.record_index, first.is_loss) == (index, True)
    assert (first.line, first.column) == place
    assert first.detail == f"`{key.rpartition('.')[2]}` is written twice"


def test_a_key_that_stands_twice_in_arguments_that_are_a_text_is_told() -> None:
    call = {"id": "c", "function": {"name": "look", "arguments": '{"a": {"b": 1, "b": 2}}'}}
    record = {"messages": [{"role": "assistant", "tool_calls": [call]}]}
    (note,) = imported(json.dumps(record).encode()).diagnostics
    assert (note.kind, note.path) == ("repeated_key", ("messages", 0, "tool_calls", 0))
    assert note.detail == "`a.b` is written twice in a text of JSON"
    call["function"] = {"name": "look", "arguments": '{"a": {"b": 1}, "b": 2}'}
    assert imported(json.dumps(record).encode()).diagnostics == []


def twice(key: str, value: str) -> Any:
    return [{"key": key, "value": {"stringValue": one}} for one in (value, "{}")]


def test_what_stands_twice_in_a_span_is_told() -> None:
    """A name of its attributes, or a key in a text that is JSON."""
    text = json.dumps(ASKED)[:-2] + ', "role": "system"}]'
    asked = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": text}
    found = imported(json.dumps(wrapped({**chat(1, []), "attributes": asked}, LAST)).encode())
    assert "`[0].role` is written twice in a text of JSON" in [
        one.detail for one in found.diagnostics if one.kind == "repeated_key"
    ]
    event = {"name": "gen_ai.choice", "attributes": {"message": '{"content": "a", "content": "b"}'}}
    ran = {**tool(2, told={"tool.call.result": "12"}), "events": [event]}
    found = imported(json.dumps(wrapped(chat(1, ASKED, CALL), ran, LAST)).encode())
    assert [one.kind for one in found.diagnostics] == ["repeated_key"]
    listed = {**chat(1, []), "attributes": twice("gen_ai.prompt", "Hi")}
    found = imported(json.dumps(wrapped(listed, LAST)).encode())
    details = [one.detail for one in found.diagnostics if one.kind == "repeated_key"]
    assert details == ["the attribute `gen_ai.prompt` is written twice"]
