"""Anthropic's messages, whole and as events."""

from typing import Any

import pytest

from evaltui.agents.models.anthropic.answer import read_event, read_whole
from evaltui.agents.models.endings import CUT_OFF, REFUSED
from evaltui.agents.models.reply_draft import Draft, Tokens
from evaltui.core.errors import AgentError
from tests.agents.wire_texts import anthropic_text


def start(index: int, **block: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: int, **piece: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": piece}


def streamed(*events: Any) -> Draft:
    draft = Draft()
    for event in events:
        read_event(event, draft)
    return draft


def test_parallel_calls_with_input_in_pieces() -> None:
    draft = streamed(
        start(0, type="text", text=""),
        delta(0, type="text_delta", text="Let me look."),
        start(1, type="tool_use", id="a", name="w", input={}),
        delta(1, type="input_json_delta", partial_json='{"city": '),
        delta(1, type="input_json_delta", partial_json='"Paris"}'),
        start(2, type="tool_use", id="b", name="now", input={}),
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
        {"type": "message_stop"},
    )
    reply = draft.reply(str, str, 0)
    assert reply.text == "Let me look."
    assert [(c.name, c.params, c.id) for c in reply.tool_calls] == [
        ("w", {"city": "Paris"}, "a"),
        ("now", {}, "b"),
    ]
    assert draft.is_complete


def test_usage_counts_the_cache_and_is_cumulative() -> None:
    first = {
        "input_tokens": 5,
        "cache_read_input_tokens": 100,
        "cache_creation_input_tokens": 20,
        "output_tokens": 1,
    }
    draft = streamed(
        {"type": "message_start", "message": {"model": "m-1", "usage": first}},
        {"type": "message_delta", "delta": {}, "usage": {"output_tokens": 30}},
    )
    assert draft.tokens == Tokens(125, 30, cache_read=100, cache_write=20)
    assert draft.model == "m-1"


@pytest.mark.parametrize(
    ("stop", "what"),
    [("end_turn", None), ("max_tokens", CUT_OFF), ("refusal", REFUSED), ("stop_sequence", None)],
)
def test_how_it_ended(stop: str, what: str | None) -> None:
    fault = streamed(*anthropic_text("a", stop)).fault
    assert (fault and fault.what.partition(" (")[0]) == what


@pytest.mark.parametrize(
    "event",
    [
        {"type": "something_new"},
        {},
        {"type": "content_block_start", "content_block": None},
        {"type": "content_block_delta", "delta": 5},
        {"type": "message_start", "message": "x"},
        start(0, type="server_tool_use", name="x"),
        delta(0, type="signature_delta", signature="x"),
    ],
)
def test_what_it_does_not_know_it_skips(event: Any) -> None:
    draft = streamed(event)
    assert (draft.text, draft.calls) == ("", [])


def test_thinking_counts_as_the_first_token() -> None:
    draft = streamed(delta(0, type="thinking_delta", thinking="hm"))
    assert draft.first_token_ms is not None
    assert draft.text == ""


def test_the_input_of_a_tool_of_the_apis_own_belongs_to_no_call_of_ours() -> None:
    draft = streamed(
        start(0, type="tool_use", id="a", name="w", input={}),
        delta(0, type="input_json_delta", partial_json='{"city": "Paris"}'),
        start(1, type="server_tool_use", id="s", name="web_search", input={}),
        delta(1, type="input_json_delta", partial_json='{"query": "weather"}'),
        start(2, type="web_search_tool_result", tool_use_id="s", content=[]),
        start(3, type="text", text=""),
        delta(3, type="text_delta", text="found"),
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
        {"type": "message_stop"},
    )
    reply = draft.reply(str, str, 0)
    assert reply.text == "found"
    assert [(call.name, call.params) for call in reply.tool_calls] == [("w", {"city": "Paris"})]
    alone = streamed(start(0, type="server_tool_use", id="s", name="web_search", input={}),
                     delta(0, type="input_json_delta", partial_json="{}"))  # fmt: skip
    assert alone.calls == []


def test_input_without_a_call() -> None:
    with pytest.raises(AgentError, match="did not start"):
        streamed(delta(0, type="input_json_delta", partial_json="{}"))


def test_whole() -> None:
    draft = Draft()
    content: Any = [
        {"type": "text", "text": "Hi"},
        {"type": "tool_use", "id": "a", "name": "w", "input": {"city": "Rome"}},
        {"type": "tool_use", "id": "b", "name": "w", "input": [1]},
    ]
    read_whole({"content": content, "stop_reason": "tool_use"}, draft)
    good, bad = draft.reply(str, str, 0).tool_calls
    assert good.params == {"city": "Rome"}
    assert bad.params is None
    assert bad.error
