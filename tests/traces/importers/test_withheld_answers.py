"""Answers that somebody kept back are errors, not answers that say nothing."""

from typing import Any

import pytest

from tests.traces.importers.fixtures import events_of


def chat(reason: str, **message: Any) -> dict[str, Any]:
    said = {"role": "assistant", **message}
    return {"object": "chat.completion", "choices": [{"finish_reason": reason, "message": said}]}


def response(reason: str, *output: dict[str, Any]) -> dict[str, Any]:
    why = {"reason": reason}
    return {"input": "q", "status": "incomplete", "incomplete_details": why, "output": [*output]}


def claude(reason: str, *content: dict[str, Any]) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "stop_reason": reason, "content": [*content]}


TEXT = {"type": "text", "text": "a"}
ITEM = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a"}]}
FILTERED = "the answer was withheld: content_filter"


@pytest.mark.parametrize(
    ("record", "error", "output"),
    [
        (chat("content_filter", content=None), FILTERED, None),
        (chat("content_filter", content=""), FILTERED, None),
        (chat("content_filter"), FILTERED, None),
        (chat("content_filter", content="a"), None, "a"),
        (chat("content_filter", content=None, refusal="no"), None, "no"),
        (chat("stop", content=None), None, None),
        (response("content_filter"), FILTERED, None),
        (response("content_filter", ITEM), None, "a"),
        (claude("refusal"), "the answer was withheld: refusal", None),
        (claude("refusal", TEXT), None, "a"),
        (claude("end_turn"), None, ""),
    ],
)
def test_an_answer_that_was_withheld_is_an_error(
    record: dict[str, Any], error: str | None, output: str | None
) -> None:
    *_, last = events_of(record)
    assert (last["error"], last["output"]) == (error, output)
    assert last["attributes"]["gen_ai.response.finish_reasons"]
