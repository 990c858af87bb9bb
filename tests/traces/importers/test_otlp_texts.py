"""A text that looks like JSON stays that text, wherever spans tell it."""

import json
from typing import Any

import pytest

from tests.traces.importers.fixtures import events_of
from tests.traces.importers.test_otlp import ASKED, CALL, chat, said, span, text, wrapped

TEXTS = [
    '["x"]',
    '["72", "done"]',
    '[{"id": 1, "text": "one"}]',
    '[{"type": "order", "text": "q"}]',
    "[]",
    "[1, 2]",
    '{"a": 1.0}',
    '{"a": 1, "a": 2}',
    '{"text": "inner", "id": 3}',
    '{"content": "inner"}',
    "12",
    "null",
]


@pytest.mark.parametrize("words", TEXTS)
@pytest.mark.parametrize("form", [".0.content", ""], ids=["numbered", "whole"])
def test_a_question_and_an_answer_of_json_stay_texts(words: str, form: str) -> None:
    told = {f"prompt{form}": words, f"completion{form}": words}
    if form:
        told |= {"prompt.0.role": "user", "completion.0.role": "assistant"}
    asked, answered = events_of(wrapped(span(1, "chat", told=told)))
    assert (asked["input"], answered["output"]) == (words, words)


def test_a_text_of_parts_is_the_text_of_those() -> None:
    parts = json.dumps([{"type": "text", "text": "q"}])
    (answered,) = events_of(wrapped(span(1, "chat", told={"completion.0.content": parts})))
    assert answered["output"] == "q"


@pytest.mark.parametrize("words", TEXTS)
def test_a_result_of_json_in_a_message_stays_a_text(words: str) -> None:
    told: dict[str, Any] = {"type": "tool_call_response", "id": "c1", "response": words}
    after = chat(2, [*ASKED, said("assistant", CALL), said("tool", told)], text("Done."))
    assert events_of(wrapped(chat(1, ASKED, CALL), after))[2]["output"] == words
    flat = {"prompt.0.role": "tool", "prompt.0.content": words, "prompt.0.tool_call_id": "c1"}
    last = span(2, "chat", told={**flat, "completion": "Done."})
    assert events_of(wrapped(chat(1, ASKED, CALL), last))[2]["output"] == words


def test_an_answer_that_is_no_list_of_messages_is_not_lost() -> None:
    told = {"output.messages": json.dumps(said("assistant", text("One.")))}
    assert events_of(wrapped(span(1, "chat", told=told)))[0]["output"] == "One."
    event = {"name": "gen_ai.choice", "attributes": {"message": "One."}}
    assert events_of(wrapped(span(1, "chat", events=[event])))[0]["output"] == "One."
