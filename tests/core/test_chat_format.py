"""Messages in the shape of OpenAI's chat format."""

import json
from types import MappingProxyType

import pytest

from evaltui.core.chat_format import call_json, message_json
from evaltui.core.json_value import JsonObject
from evaltui.core.response import Message, ToolCall


@pytest.mark.parametrize(
    ("params", "text"),
    [
        (None, "{}"),
        ({"city": "Zürich", "days": [1, 2.5]}, '{"city":"Zürich","days":[1,2.5]}'),
        ({"n": float("inf"), "no": None}, '{"n":Infinity,"no":null}'),
        ({"n": 10**40}, '{"n":1' + "0" * 40 + "}"),
        ({"in": MappingProxyType({"a": 1})}, '{"in":{"a":1}}'),
        ({"half": "\ud83d"}, '{"half":"\ud83d"}'),
    ],
)
def test_arguments_are_a_text_without_spaces(params: JsonObject | None, text: str) -> None:
    said = call_json(ToolCall("look", params, id="1"))
    assert said == {"id": "1", "type": "function", "function": {"name": "look", "arguments": text}}


def test_what_was_told_otherwise_stands_in_the_place_of_the_text() -> None:
    message = Message("tool", "a", tool_call_id="1", name="look", extra={"content": [], "id": "m"})
    assert json.loads(json.dumps(message_json(message))) == {
        "role": "tool",
        "content": [],
        "tool_call_id": "1",
        "name": "look",
        "id": "m",
    }


def test_calls_stand_in_the_message_that_makes_them() -> None:
    call = ToolCall("look", {"city": "Paris"}, id="1")
    said = message_json(Message("assistant", "", (call,)))
    assert said == {"role": "assistant", "content": "", "tool_calls": [call_json(call)]}
