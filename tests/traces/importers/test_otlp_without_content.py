"""Spans of programs that record no content: what is left out is missed, the rest is read."""

import json
from typing import Any

import pytest

from evaltui.traces.measured import tokens
from evaltui.traces.reading import trace_body
from tests.traces.importers.fixtures import imported
from tests.traces.importers.test_otlp import ANSWER, ASKED, CALL, said, span, text, tool, wrapped

QUESTION = said("user", {"type": "text"})
CALLED = said("assistant", {"type": "tool_call", "id": "c1", "name": "look"})
RESULT = said("tool", {"type": "tool_call_response", "id": "c1", "name": "look"})
LAST = said("assistant", {"type": "text"})


def chat(number: int, asked: list[Any], answer: Any) -> dict[str, Any]:
    told = {"input.messages": asked, "output.messages": [answer], "usage.input_tokens": 7}
    return span(number, "chat", told=told)


def import_(*spans: dict[str, Any]) -> tuple[list[str], list[Any], dict[str, Any]]:
    found = imported(json.dumps(wrapped(*spans)).encode())
    assert {(one.kind, one.is_loss) for one in found.diagnostics} <= {("not_told", True)}
    (case,) = found.cases
    body = trace_body(case)
    return [one.detail for one in found.diagnostics], [*body.trace], tokens(body)


@pytest.mark.parametrize("empty", [{}, {"content": None}])
@pytest.mark.parametrize("has_span", [True, False])
def test_each_thing_without_its_content_is_missed_once(
    empty: dict[str, Any], *, has_span: bool
) -> None:
    question, last = (said(one["role"], {"type": "text", **empty}) for one in (QUESTION, LAST))
    spans = [chat(1, [question], CALLED), chat(9, [question, CALLED, RESULT], last)]
    details, events, used = import_(*spans, *([tool(2)] if has_span else []))
    assert sorted(details) == [
        "what `look` gave back",
        "what `look` was called with",
        "what a message of `assistant` says",
        "what a message of `user` says",
    ]
    kinds = ["message", "tool_call", "tool_result", "message"]
    assert [one.type for one in events] == kinds
    assert [one.tool for one in events] == [None, "look", "look", None]
    assert used["input"] == 14


def test_what_is_told_and_empty_is_not_missed() -> None:
    made = said("assistant", {**CALL, "arguments": None})
    given = said("tool", {**ANSWER, "response": None})
    spans = [chat(1, ASKED, made), chat(9, [*ASKED, made, given], said("assistant", text("")))]
    details, events, _ = import_(*spans)
    assert details == []
    assert [one.input or one.output for one in events] == ["How warm?", None, None, ""]


def test_a_result_that_only_its_span_tells_is_not_missed() -> None:
    made = said("assistant", CALL)
    after = chat(9, [*ASKED, made, RESULT], said("assistant", text("12.")))
    details, events, _ = import_(
        chat(1, ASKED, made), tool(2, told={"tool.call.result": 12}), after
    )
    assert details == []
    assert events[2].output == 12
    flat = {"role": "tool", "tool_call_id": "c1"}
    after = chat(9, [*ASKED, made, flat], said("assistant", text("12.")))
    assert import_(chat(1, ASKED, made), tool(2), after)[0] == ["what `look` gave back"]


def test_the_words_of_chat_completions_are_missed_too() -> None:
    calls = [{"id": "c1", "type": "function", "function": {"name": "look"}}]
    made = {"role": "assistant", "tool_calls": calls}
    texts = {"role": "user", "content": [{"type": "text"}]}
    details, *_ = import_(chat(1, [texts], made), tool(2, told={"tool.call.result": 1}))
    assert details == ["what a message of `user` says", "what `look` was called with"]
