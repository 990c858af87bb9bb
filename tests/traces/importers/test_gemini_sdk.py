"""Answers of Gemini as its SDK writes them, with keys in either way."""

import json
from typing import Any

import pytest

from evaltui.traces.reading import trace_body
from tests.traces.importers.fixtures import events_of, imported


def said(role: str, *parts: dict[str, Any]) -> dict[str, Any]:
    return {"role": role, "parts": [*parts]}


ASKED = said("user", {"text": "hi"})
CALLED = said("model", {"functionCall": {"name": "look", "args": {"q": 1}}})
RESULT = said("user", {"functionResponse": {"name": "look", "response": {"error": "broke"}}})
SNAKE_CALLED = said("model", {"text": None, "function_call": {"name": "look", "args": {"q": 1}}})
SNAKE_RESULT = said("user", {"function_response": {"name": "look", "response": {"error": "broke"}}})
ANSWER = said("model", {"text": "a"})
HISTORY = "automaticFunctionCallingHistory"
SNAKE_HISTORY = "automatic_function_calling_history"


def answer(content: dict[str, Any] = ANSWER, **more: Any) -> dict[str, Any]:
    return {"candidates": [{"content": content, "finishReason": "STOP"}], **more}


def after(*history: dict[str, Any], key: str = HISTORY, **more: Any) -> dict[str, Any]:
    return {**answer(), key: [*history], **more}


@pytest.mark.parametrize(
    "record",
    [
        after(ASKED, CALLED, RESULT),
        after(ASKED, SNAKE_CALLED, SNAKE_RESULT, key=SNAKE_HISTORY),
        after(ASKED, CALLED, RESULT, contents=[ASKED]),
        after(ASKED, CALLED, RESULT, ANSWER),
        {
            "request": {"contents": [ASKED, CALLED, RESULT]},
            "response": after(ASKED, SNAKE_CALLED, SNAKE_RESULT, key=SNAKE_HISTORY),
        },
        {
            "request": {"contents": [ASKED]},
            "response": after(ASKED, SNAKE_CALLED, SNAKE_RESULT, key=SNAKE_HISTORY),
        },
    ],
    ids=["alias", "snake", "with contents", "with the answer", "log", "log of the question"],
)
def test_what_the_sdk_called_by_itself_stands_once_before_the_answer(
    record: dict[str, Any],
) -> None:
    events = events_of(record)
    assert [one["type"] for one in events] == ["message", "tool_call", "tool_result", "message"]
    assert (events[0]["input"], events[1]["input"], events[3]["output"]) == ("hi", {"q": 1}, "a")
    assert events[2]["error"] == "broke"


def test_a_history_that_begins_otherwise_is_read_whole() -> None:
    other = said("user", {"text": "bye"})
    events = events_of(after(other, CALLED, RESULT, contents=[ASKED]))
    assert [one["input"] for one in events if one["actor"] == "user"] == ["hi", "bye"]


@pytest.mark.parametrize(
    ("feedback", "reason"), [("promptFeedback", "blockReason"), ("prompt_feedback", "block_reason")]
)
def test_a_prompt_that_was_blocked_is_an_error(feedback: str, reason: str) -> None:
    (event,) = events_of({feedback: {reason: "SAFETY"}})
    assert event["error"] == "the prompt was blocked: SAFETY"


@pytest.mark.parametrize(
    ("code", "output"),
    [("executableCode", "codeExecutionResult"), ("executable_code", "code_execution_result")],
)
@pytest.mark.parametrize(
    ("outcome", "error"),
    [
        ("OUTCOME_OK", None),
        ("OUTCOME_FAILED", "the tool ended OUTCOME_FAILED"),
        ("OUTCOME_DEADLINE_EXCEEDED", "the tool ended OUTCOME_DEADLINE_EXCEEDED"),
    ],
)
def test_code_that_gemini_ran_is_a_call_with_its_result(
    code: str, output: str, outcome: str, error: str | None
) -> None:
    made: dict[str, Any] = {"code": "1/0", "language": "PYTHON"}
    ran = {output: {"outcome": outcome, "output": "Traceback"}}
    record = answer(said("model", {code: made}, ran, {"text": "a"}))
    call, result, last = events_of(record)
    assert (call["tool"], call["input"], call["error"]) == ("code_execution", made, None)
    told = (result["tool"], result["output"], result["error"])
    assert told == ("code_execution", "Traceback", error)
    assert (last["tool"], last["output"]) == (None, "a")


@pytest.mark.parametrize("more", [{}, {"thought": None}, {"thoughtSignature": "x"}])
def test_a_part_that_is_no_text_is_named(more: dict[str, Any]) -> None:
    image = {**more, "inlineData": {"data": "AA=="}}
    record = answer(said("model", {"text": "a"}, image))
    (note,) = imported(json.dumps(record).encode()).diagnostics
    assert (note.kind, note.detail) == ("dropped_content", "not text: inlineData")


@pytest.mark.parametrize("role", ["user", "model", "system", None])
@pytest.mark.parametrize("key", ["systemInstruction", "system_instruction"])
def test_a_system_instruction_is_one_whatever_role_it_states(key: str, role: str | None) -> None:
    told: dict[str, Any] = {
        key: {"role": role, "parts": [{"text": "Be brief."}]},
        "contents": [ASKED],
    }
    for record in (answer(**told), {"request": told, "response": answer()}):
        events = events_of(record)
        assert [one["actor"] for one in events] == ["system", "user", "agent"]
        assert (events[0]["output"], events[1]["input"]) == ("Be brief.", "hi")
        (case,) = imported(json.dumps(record).encode()).cases
        assert trace_body(case).input == "hi"
