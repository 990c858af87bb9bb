"""The parts of an answer are pieces of one text; what a user wrote in parts stands line by line."""

import json
from typing import Any

import pytest

from tests.traces.importers.fixtures import BY_FRAMEWORK, BY_PROVIDER, events_of, imported


def texts(*said: str, kind: str = "text") -> list[dict[str, Any]]:
    return [{"type": kind, "text": one} for one in said]


SAID = texts("According to it, ", "the grass is green", ".")
WHOLE = "According to it, the grass is green."


@pytest.mark.parametrize(
    "record",
    [
        {"type": "message", "role": "assistant", "content": SAID, "stop_reason": "end_turn"},
        {"messages": [{"role": "assistant", "content": SAID}]},
        {"candidates": [{"content": {"role": "model", "parts": SAID}, "finishReason": "STOP"}]},
        {
            "output": [
                {
                    "type": "message",
                    "role": "assistant",
                    "content": texts(*(one["text"] for one in SAID), kind="output_text"),
                }
            ]
        },
    ],
)
def test_parts_of_an_answer_are_one_text(record: dict[str, Any]) -> None:
    assert [event["output"] for event in events_of(record, BY_PROVIDER)] == [WHOLE]


def test_parts_of_a_message_of_langchain_are_one_text_told_once() -> None:
    messages = [{"type": "human", "content": "a"}, {"type": "ai", "content": SAID, "id": "m"}]
    start = {
        "event": "on_chain_start",
        "run_id": "r",
        "data": {"input": {"messages": messages[:1]}},
    }
    data = {"output": {"messages": [messages[0], {"type": "ai", "content": WHOLE}]}}
    model = {"event": "on_chat_model_end", "run_id": "m", "parent_ids": ["r"]}
    events = [start, {**model, "data": {"output": messages[1]}}]
    end = {"event": "on_chain_end", "run_id": "r", "data": data}
    found = events_of({"events": [*events, end]}, BY_FRAMEWORK)
    assert [event["output"] for event in found] == [None, WHOLE]


@pytest.mark.parametrize("role", ["user", "system", "tool"])
def test_parts_of_what_others_say_stand_in_lines(role: str) -> None:
    messages = [{"role": role, "content": texts("a", "b")}]
    if role == "tool":
        messages.insert(0, {"role": "assistant", "tool_calls": [{"name": "look", "args": {}}]})
    last = events_of({"messages": [*messages, {"role": "assistant", "content": "c"}]})[-2]
    assert "a\nb" in (last["input"], last["output"])


AUDIO = {"id": "a", "data": "x", "expires_at": 1}


def answered(**message: Any) -> dict[str, Any]:
    said = {"role": "assistant", "content": None, **message}
    return {"choices": [{"index": 0, "message": said, "finish_reason": "stop"}]}


def test_what_was_spoken_is_the_answer() -> None:
    [event] = events_of(answered(audio={**AUDIO, "transcript": "Yes"}))
    assert event["output"] == "Yes"
    part = {"type": "output_audio", "data": "x", "transcript": "Yes"}
    [event] = events_of({"output": [{"type": "message", "role": "assistant", "content": [part]}]})
    assert event["output"] == "Yes"
    [event] = events_of(answered(content="Written", audio={**AUDIO, "transcript": "Yes"}))
    assert event["output"] == "Written"


def test_what_was_spoken_in_pieces_is_the_answer() -> None:
    chunk = {"id": "c", "object": "chat.completion.chunk"}
    pieces = [AUDIO, {"transcript": "He"}, {"transcript": "llo"}, {"data": "y"}]
    choices = [{"index": 0, "delta": {"audio": one}} for one in pieces]
    choices[-1]["finish_reason"] = "stop"
    [event] = events_of([{**chunk, "choices": [one]} for one in choices])
    assert event["output"] == "Hello"


@pytest.mark.parametrize("message", [{"audio": AUDIO}, {"audio": {"id": "a"}, "content": ""}])
def test_what_was_spoken_and_not_written_down_is_told_of(message: dict[str, Any]) -> None:
    user = {"role": "user", "content": "a"}
    record = {"request": {"messages": [user]}, "response": answered(**message)}
    found = imported(json.dumps(record).encode())
    told = [(one.kind, one.detail, one.is_loss) for one in found.diagnostics]
    assert ("dropped_content", "not text: audio", True) in told
