"""Answers in the shapes of OpenAI's APIs, mapped by dot paths."""

import json
from typing import Any

import pytest

from evaltui.agents.http.answer_mapping import CONTRACT_MAPPING, AnswerMapping, read_answer
from evaltui.agents.http.http_options import read_options
from evaltui.agents.http.json_path import MISSING, first_at, parse_path, values_at
from evaltui.core.errors import AgentError, UserError
from evaltui.core.response import ToolCall

CHAT = {
    "text": "choices[0].message.content",
    "tool_calls": "choices[0].message.tool_calls",
    "name": "function.name",
    "params": "function.arguments",
}
RESPONSES = {
    "text": "output[type=message].content[type=output_text].text",
    "tool_calls": "output[type=function_call]",
    "params": "arguments",
}
PARIS = (ToolCall("look", {"city": "Paris"}),)
CALL = {"name": "look", "arguments": '{"city": "Paris"}'}


def mapping(response: dict[str, Any]) -> AnswerMapping:
    return read_options({"url": "http://x", "response": response}, {}).mapping


def chat(**message: Any) -> Any:
    return {"choices": [{"message": message}]}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (chat(content="Hi", tool_calls=[{"function": CALL}]), ("Hi", PARIS)),
        (chat(content=None, tool_calls=[{"function": CALL}]), ("", PARIS)),
        (chat(content="Hi", tool_calls=None), ("Hi", ())),
        (chat(content="Hi"), ("Hi", ())),
        (chat(content="Hi", tool_calls=[{"function": {"name": "look", "arguments": ""}}]),
         ("Hi", (ToolCall("look", {}),))),
    ],
)  # fmt: skip
def test_chat_completions(answer: Any, expected: Any) -> None:
    assert read_answer(answer, mapping(CHAT)) == expected


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ([{"type": "reasoning"}, {"type": "function_call", **CALL}], ("", PARIS)),
        ([{"type": "message", "content": [{"type": "output_text", "text": "Sun"},
                                          {"type": "output_text", "text": "ny"}]}], ("Sunny", ())),
        ([], ("", ())),
    ],
)  # fmt: skip
def test_items_are_chosen_by_their_type(output: Any, expected: Any) -> None:
    assert read_answer({"output": output}, mapping(RESPONSES)) == expected


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"choices": []}, "no `choices"),
        (chat(tool_calls=[]), "message.content`"),
        (chat(content="a", tool_calls=[{"function": {"name": "look", "arguments": "{"}}]), "JSON"),
    ],
)
def test_what_is_missing_is_still_an_error(answer: Any, said: str) -> None:
    with pytest.raises(AgentError, match=said):
        read_answer(answer, mapping(CHAT))


@pytest.mark.parametrize("calls", ["calls", "message.calls"])
def test_calls_that_are_absent_elsewhere_are_no_proof(calls: str) -> None:
    with pytest.raises(AgentError, match="the answer has no"):
        read_answer({"response": "a", "message": {}}, mapping({"tool_calls": calls}))


def test_null_for_the_text_of_the_contract_is_an_error() -> None:
    with pytest.raises(AgentError, match="must be text"):
        read_answer({"response": None, "toolCalls": []}, CONTRACT_MAPPING)


VALUE: Any = {"items": [{"kind": "a.b", "x": 1}, {"kind": "c", "x": 2}, 3, {"kind": "a.b"}]}


def test_a_path_that_chooses() -> None:
    path = parse_path("items[kind=a.b].x")
    assert path.is_many
    assert values_at(VALUE, path) == [1]
    assert first_at(VALUE, parse_path("items[kind=c]")) == {"kind": "c", "x": 2}
    assert first_at(VALUE, parse_path("items[kind=none]")) is MISSING
    with pytest.raises(UserError, match="not a dot path"):
        parse_path("items[kind=a", "response.text")
    assert json.dumps(values_at(VALUE, parse_path("items[].x"))) == "[1, 2]"
