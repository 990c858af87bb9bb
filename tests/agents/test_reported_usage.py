"""What answers in the contract's shape say they took."""

import json
from typing import Any

import pytest

from evaltui.agents.http.answer_mapping import AnswerMapping, read_usage
from evaltui.agents.reported_usage import reported_usage
from evaltui.core.response import Usage
from tests.agents.http.test_event_stream import event, streaming
from tests.agents.requests import ask
from tests.agents.servers import always, answer, serving

PLAIN: dict[str, Any] = {"response": "Done.", "toolCalls": []}
THOUGHT = Usage(3, 4, None, 90)


@pytest.mark.parametrize(
    ("told", "usage"),
    [
        ({"costUsd": 0.01}, Usage(cost_usd=0.01)),
        ({"usage": {"inputTokens": 3, "outputTokens": 4, "costUsd": 0.01}}, Usage(3, 4, 0.01)),
        ({"usage": {"input_tokens": 3, "output_tokens": 4, "cost_usd": 1}}, Usage(3, 4, 1)),
        ({"usage": {"prompt_tokens": 3, "completion_tokens": 4}, "costUsd": 0.5}, Usage(3, 4, 0.5)),
        ({"usage": {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7}}, Usage(3, 4)),
        ({"usage": {"input_tokens": 3, "output_tokens": 4, "total_tokens": 90}}, THOUGHT),
        ({"usage": {"inputTokens": 3, "outputTokens": 4, "totalTokens": 90}}, THOUGHT),
        ({"costUsd": None, "usage": {"costUsd": 0.01}}, Usage(cost_usd=0.01)),
        ({}, None),
        ({"costUsd": "much", "usage": None}, None),
        ({"costUsd": True}, None),
        ({"costUsd": "0.3"}, Usage(cost_usd=0.3)),
        ({"usage": {"inputTokens": "3", "outputTokens": 4}}, Usage(3, 4)),
        ({"costUsd": "nan"}, None),
        ({"usage": {"costUsd": 5}}, Usage(cost_usd=5)),
        ({"usage": {"inputTokens": None, "outputTokens": None}}, None),
        ({"usage": "abc", "costUsd": 1}, Usage(cost_usd=1)),
        ({"usage": True}, None),
        ({"usage": {"inputTokens": -5, "outputTokens": 1e300}, "costUsd": 1}, Usage(cost_usd=1)),
        ({"usage": {"inputTokens": 3}}, Usage(3)),
        ({"usage": {"inputTokens": 0, "outputTokens": 0}}, Usage(0, 0)),
        ({"usage": {"totalTokens": 9}}, Usage(told_total=9)),
    ],
)
async def test_tokens_and_costs_are_read_without_a_mapping(
    told: dict[str, Any], usage: Usage | None
) -> None:
    async with serving(always(answer(PLAIN | told))) as server:
        response = await ask(server.url)
    assert response.usage == usage
    assert response.text == "Done."


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-1", "1e999", "1" + "0" * 400])
def test_what_can_be_no_number_of_tokens_or_dollars_is_none(number: str) -> None:
    value = json.loads(f'{{"costUsd": {number}, "usage": {{"inputTokens": {number}, "x": 1}}}}')
    assert reported_usage(value) is None


def test_a_mapping_that_names_no_usage_reads_it_from_its_usual_place() -> None:
    assert read_usage(PLAIN | {"costUsd": 0.01}, AnswerMapping()) == Usage(cost_usd=0.01)


async def test_events_tell_it_too_and_a_later_one_takes_nothing_back() -> None:
    events = ({"delta": "a", "costUsd": 0.01}, {"usage": {"inputTokens": 3}}, {"delta": "b"})
    async with serving(streaming(*map(event, events))) as server:
        response = await ask(server.url, stream=True)
    assert response.usage == Usage(3, None, 0.01)
