"""What tools of providers did and gave back, where messages tell it in a way of their own."""

import json
from typing import Any

import pytest

from tests.traces.importers.fixtures import events_of, imported
from tests.traces.importers.test_otlp import ASKED, said, span, text, wrapped


def test_a_search_that_gemini_grounds_its_answer_in_is_a_call() -> None:
    found = [{"web": {"uri": "https://example.org", "title": "Weather"}}]
    about = {"webSearchQueries": ["weather"], "groundingChunks": found}
    content = {"role": "model", "parts": [{"text": "Sunny."}]}
    record: dict[str, Any] = {"candidates": [
        {"content": content, "finishReason": "STOP", "groundingMetadata": about}]}  # fmt: skip
    events = events_of(record)
    assert [one["tool"] for one in events] == ["google_search", "google_search", None]
    assert [one["input"] or one["output"] for one in events] == [
        {"queries": ["weather"]}, found, "Sunny."]  # fmt: skip
    about["webSearchQueries"] = []
    assert len(events_of(record)) == 1


def test_an_image_that_a_tool_gave_gemini_is_missed() -> None:
    given = {"name": "shot", "response": {"ok": True}, "parts": [{"inlineData": {}}]}
    made = {"functionCall": {"name": "shot", "args": {}}}
    record = {"contents": [{"role": "model", "parts": [made]},
                           {"role": "user", "parts": [{"functionResponse": given}]}]}  # fmt: skip
    (note,) = imported(json.dumps(record).encode()).diagnostics
    assert note.kind == "dropped_content"


def test_what_an_image_was_made_of_is_what_the_tool_was_called_with() -> None:
    item = {"type": "image_generation_call", "id": "i", "status": "completed", "result": "QUJD",
            "action": "generate", "revised_prompt": "A cat."}  # fmt: skip
    assert events_of({"output": [item]})[0]["input"] == {"revised_prompt": "A cat."}


@pytest.mark.parametrize(("told", "error"), [(True, "the tool reported an error"), (False, None)])
def test_a_tool_that_agno_says_failed_has_failed(told: bool, error: str | None) -> None:
    call = {"id": "c", "function": {"name": "look", "arguments": "{}"}}
    answer = {"role": "tool", "tool_call_id": "c", "content": "no", "tool_call_error": told}
    events = events_of({"messages": [{"role": "assistant", "tool_calls": [call]}, answer]})
    assert (events[1]["output"], events[1]["error"]) == ("no", error)


def test_instructions_in_an_event_of_a_span_are_read() -> None:
    told = {"system_instructions": [text("Be brief.")], "input.messages": ASKED,
            "output.messages": [said("assistant", text("12."))]}  # fmt: skip
    attributes = {f"gen_ai.{key}": value for key, value in told.items()}
    event = {"name": "gen_ai.client.inference.operation.details", "attributes": attributes}
    events = events_of(wrapped(span(1, "chat", events=[event])))
    assert [one["actor"] for one in events] == ["system", "user", "assistant"]
