"""Spans of Google's ADK, which tell messages in attributes of its own and name no operation."""

import json
from typing import Any

import pytest

from tests.traces.importers.fixtures import events_of, imported
from tests.traces.importers.test_otlp import span, wrapped

ADK = "gcp.vertex.agent."
ASKED = {"role": "user", "parts": [{"text": "Pay it."}]}
CALLED = {"role": "model", "parts": [{"function_call": {"name": "pay", "args": {"sum": 3}}}]}
RESULT = {"role": "user", "parts": [
    {"function_response": {"name": "pay", "response": {"paid": True}}}]}  # fmt: skip
SAID = {"role": "model", "parts": [{"text": "Hm", "thought": True}, {"text": "Paid."}]}


def llm(number: int, asked: list[Any], answer: Any, system: Any = "Be brief.") -> dict[str, Any]:
    request = {"model": "m", "config": {"system_instruction": system}, "contents": asked}
    one = span(number, None, told={"system": "gcp.vertex.agent", "request.model": "m",
                                   "usage.input_tokens": 10 * number})  # fmt: skip
    told = {"llm_request": request if asked else {}, "llm_response": answer and {"content": answer}}
    return with_own(one, told)


def ran(number: int, inside: int, *, made: Any, gave: Any, operation: str = "execute_tool") -> Any:
    told = {"tool.name": "pay", "tool.call.id": f"adk-{number}"}
    one = span(number, operation, inside, told=told)
    return with_own(one, {"tool_call_args": made, "tool_response": gave, "llm_request": {}})


def with_own(one: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    own = {f"{ADK}{key}": json.dumps(value) for key, value in told.items()}
    return {**one, "attributes": {**one["attributes"], **own}}


@pytest.mark.parametrize(
    "system", ["Be brief.", {"parts": [{"text": "Be brief."}], "role": "user"}]
)
@pytest.mark.parametrize("has_span", [True, False])
def test_a_run_is_read_once_however_often_it_is_repeated(system: Any, *, has_span: bool) -> None:
    tools = [ran(2, 1, made={"sum": 3}, gave={"paid": True})] if has_span else []
    first = llm(1, [ASKED], CALLED, system)
    last = llm(3, [ASKED, CALLED, RESULT], SAID, system)
    told, asked, call, result, answer = events_of(wrapped(first, *tools, last))
    assert (told["actor"], told["output"], asked["input"]) == ("system", "Be brief.", "Pay it.")
    assert (call["tool"], call["input"]) == ("pay", {"sum": 3})
    assert (result["tool"], result["output"]) == ("pay", {"paid": True})
    assert answer["output"] == "Paid."
    tokens = [one["attributes"].get("gen_ai.usage.input_tokens") for one in (call, answer)]
    assert tokens == [10, 30]


def test_two_calls_at_once_have_their_own_results() -> None:
    both = {"role": "model", "parts": [*CALLED["parts"], *CALLED["parts"]]}
    tools = [ran(n, 1, made={"sum": 3}, gave={"number": n}) for n in (2, 3)]
    events = events_of(wrapped(llm(1, [ASKED], both), *tools))
    assert [one["output"] for one in events if one["actor"] == "tool"] == [
        {"number": 2},
        {"number": 3},
    ]


def test_what_a_tool_was_called_with_and_gave_back_is_read_without_its_model() -> None:
    call, result = events_of(wrapped(ran(2, 1, made={"sum": 3}, gave={"paid": True})))
    assert (call["input"], result["output"]) == ({"sum": 3}, {"paid": True})


def test_what_was_not_recorded_is_missed() -> None:
    spans = (llm(1, [], {}), ran(2, 1, made={}, gave={}), llm(3, [], {}))
    found = imported(json.dumps(wrapped(*spans)).encode())
    assert sorted(one.detail for one in found.diagnostics) == [
        "what `pay` gave back",
        "what `pay` was called with",
        "what a model answered",
        "what a model answered",
    ]


def test_what_is_no_text_in_it_is_named() -> None:
    code = {"role": "model", "parts": [{"executable_code": {"code": "1"}}, {"text": "1"}]}
    picture = {"role": "user", "parts": [{"text": "this"}, {"inline_data": {"data": "A"}}]}
    found = imported(json.dumps(wrapped(llm(1, [picture], code))).encode())
    assert {(one.kind, one.detail) for one in found.diagnostics} == {
        ("dropped_content", "not text: inline_data"),
        ("unread_call", "a call or result that is not read: executable_code"),
    }
