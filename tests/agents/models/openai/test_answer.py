"""Chat completions as OpenAI sends them, and as compatible servers do."""

import json
from typing import Any

import pytest

from evaltui.agents.models.endings import CUT_OFF, FILTERED, REFUSED
from evaltui.agents.models.openai.answer import read_event, read_whole
from evaltui.agents.models.reply_draft import Draft, Tokens
from evaltui.core.errors import AgentError
from evaltui.core.model import ModelReply
from tests.agents.wire_texts import chunk, piece


def streamed(*events: Any) -> tuple[ModelReply, Draft]:
    draft = Draft()
    for event in events:
        read_event(event, draft)
    return draft.reply(str, str, 0), draft


def calls(reply: ModelReply) -> list[tuple[str, Any, str]]:
    return [(call.name, call.params, call.id) for call in reply.tool_calls]


PARIS, ROME = '{"city": "Paris"}', '{"city": "Rome"}'
WANTED = [("w", json.loads(PARIS), "a"), ("w", json.loads(ROME), "b")]


@pytest.mark.parametrize(
    "pieces",
    [
        pytest.param(
            [piece(0, "a", "w"), piece(0, args=PARIS[:5]), piece(0, args=PARIS[5:]),
             piece(1, "b", "w"), piece(1, args=ROME)],
            id="OpenAI",
        ),
        pytest.param(
            [piece(0, "a", "w", PARIS), piece(1, "b", "w", ROME)], id="whole calls",
        ),
        pytest.param(
            [piece(0, "a", "w"), piece(1, "b", "w"), piece(1, args=ROME[:3]),
             piece(0, args=PARIS[:4]), piece(1, args=ROME[3:]), piece(0, args=PARIS[4:])],
            id="interleaved",
        ),
        pytest.param(
            [piece(0, "a", "w", PARIS), piece(0, "b", "w", ROME)], id="every index 0",
        ),
        pytest.param(
            [piece(None, "a", "w", PARIS), piece(None, "b", "w", ROME)], id="no index",
        ),
        pytest.param(
            [piece(None, "a", "w"), piece(None, args=PARIS), piece(None, "b", "w"),
             piece(None, args=ROME)],
            id="no index, pieces",
        ),
        pytest.param(
            [piece(0, "a", "w", PARIS[:6]), piece(0, "a", "w", PARIS[6:]),
             piece(1, "b", "w", ROME)],
            id="id and name repeated",
        ),
    ],
)  # fmt: skip
def test_parallel_calls(pieces: list[Any]) -> None:
    reply, draft = streamed(*(chunk(tool_calls=[one]) for one in pieces), chunk("tool_calls"))
    assert calls(reply) == WANTED
    assert draft.is_complete


def test_several_pieces_in_one_chunk() -> None:
    both = chunk(tool_calls=[piece(0, "a", "w", PARIS), piece(1, "b", "w", ROME)])
    assert calls(streamed(both)[0]) == WANTED


def test_arguments_that_are_an_object_already() -> None:
    call = {"id": "a", "function": {"name": "w", "arguments": {"city": "Paris"}}}
    assert calls(streamed(chunk(tool_calls=[call]))[0]) == WANTED[:1]


def test_a_call_of_a_custom_tool_has_its_name_and_free_text() -> None:
    call = {"id": "a", "type": "custom", "custom": {"name": "w", "input": "sunny Paris"}}
    (found,) = streamed(chunk(tool_calls=[call]))[0].tool_calls
    assert (found.name, found.params) == ("w", None)
    assert "sunny Paris" in found.error


def test_usage_comes_in_a_chunk_without_choices() -> None:
    usage = {
        "prompt_tokens": 9,
        "completion_tokens": 2,
        "prompt_tokens_details": {"cached_tokens": 4},
    }
    reply, draft = streamed(
        chunk(content="Hi"), chunk("stop"), {"model": "m-1", "choices": [], "usage": usage}
    )
    assert draft.tokens == Tokens(9, 2, cache_read=4)
    assert draft.model == "m-1"
    assert reply.text == "Hi"


@pytest.mark.parametrize(
    ("told", "output"), [(5_067, 5_030), (67, 30), (0, 30), (None, 30), (40, 30)]
)
def test_what_the_total_tells_of_reasoning_beside_the_answer_is_paid_too(
    told: int | None, output: int
) -> None:
    usage = {"prompt_tokens": 37, "completion_tokens": 30, "total_tokens": told}
    _, draft = streamed(chunk(content="Hi"), chunk("stop"), {"choices": [], "usage": usage})
    assert draft.tokens == Tokens(37, output)


@pytest.mark.parametrize("usage", [None, [], "x", {"prompt_tokens": None}, {}])
def test_odd_usage_is_no_fault(usage: Any) -> None:
    streamed({"choices": [], "usage": usage})


@pytest.mark.parametrize(
    ("events", "what", "category"),
    [
        ([chunk("length", content="a")], CUT_OFF, "cut_off"),
        ([chunk("content_filter", content="a")], FILTERED, "filtered"),
        ([chunk(refusal="I will not."), chunk("stop")], REFUSED, "refused"),
    ],
)
def test_a_bad_end_is_no_answer(events: list[Any], what: str, category: str) -> None:
    with pytest.raises(AgentError, match=what) as caught:
        streamed(*events)
    assert caught.value.category == category
    assert not caught.value.retryable


def test_ids_that_are_missing_or_repeated_are_made_anew() -> None:
    message = {"tool_calls": [piece(0, "", "w"), piece(1, "x", "w"), piece(2, "x", "w")]}
    draft = Draft()
    read_whole({"choices": [{"message": message, "finish_reason": "tool_calls"}]}, draft)
    found = [call.id for call in draft.reply(str, str, 3).tool_calls]
    assert found == ["call_3_0", "x", "call_3_2"]


def test_content_in_parts_and_null() -> None:
    draft = Draft()
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    read_whole({"choices": [{"message": {"content": parts}}]}, draft)
    assert draft.text == "ab"
    read_whole({"choices": [{"message": {"content": None}}]}, draft)
    assert draft.text == "ab"


@pytest.mark.parametrize("call", ["x", 5, None, []])
def test_a_call_that_is_no_object(call: Any) -> None:
    with pytest.raises(AgentError, match="not an object"):
        streamed(chunk(tool_calls=[call]))


def test_a_call_without_a_name() -> None:
    with pytest.raises(AgentError, match="no name"):
        streamed(chunk(tool_calls=[piece(0, "a", "", "{}")]))


def test_says_what_it_received() -> None:
    draft = Draft()
    read_event(chunk(content="It is"), draft)
    read_event(chunk(tool_calls=[piece(0, "a", "w")]), draft)
    assert draft.received() == " Received so far: the text `It is…` and a call of `w`."
