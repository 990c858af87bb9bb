"""What an agent answered, as far as it can be worked out from its parts."""

import pytest

from evaltui.core.json_value import JsonObject
from evaltui.core.response import (
    AgentResponse,
    Execution,
    Message,
    ToolCall,
    Turn,
    Usage,
    added_usage,
    calls_in,
    with_results,
)

A, B = ToolCall("a"), ToolCall("b")


def test_an_agent_is_not_sent_what_is_said_of_a_message_elsewhere() -> None:
    extra: JsonObject = {"id": "m1", "metadata": {"a": 1}, "tool_calls": [], "content": []}
    assert Message("user", "hi", extra=extra).sent_extra == {"id": "m1", "content": []}
    assert Message("user", "hi").sent_extra == {}


def test_results_that_are_told_beside_the_messages_belong_to_the_calls_of_the_same_names() -> None:
    messages = (Message("assistant", "", (A,)), Message("assistant", "", (B,)))
    known = (ToolCall("a", result=1), ToolCall("b", result=2))
    assert calls_in(with_results(messages, known)) == known
    for others in ((ToolCall("b", result=2), known[0]), known[:1]):
        assert with_results(messages, others) == messages


@pytest.mark.parametrize(
    ("told", "usage"),
    [
        ((3, 4), Usage(3, 4)),
        ((3, 4, 7), Usage(3, 4)),
        ((3, 4, 9), Usage(3, 4, told_total=9)),
        ((3, 4, 0), Usage(3, 4)),
        ((None, 4, 9), Usage(None, 4, told_total=9)),
        ((None, None, None, 0.5), Usage(cost_usd=0.5)),
        ((None, None), None),
        ((None, None, 0), None),
    ],
)
def test_a_total_counts_where_it_is_not_the_sum(
    told: tuple[int | None, ...], usage: Usage | None
) -> None:
    assert Usage.reported(*told) == usage


def test_all_that_is_known_of_tokens_is_told() -> None:
    assert Usage(3, 4).told_tokens == {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7}
    assert Usage(3).told_tokens == {"input_tokens": 3}


@pytest.mark.parametrize(("left", "right"), [(None, 2.0), (2.0, None), (None, None)])
def test_a_cost_is_unknown_where_one_is(left: float | None, right: float | None) -> None:
    added = added_usage(Usage(cost_usd=left), Usage(cost_usd=right))
    assert added is not None
    assert added.cost_usd is None


def test_a_turn_is_what_the_agent_said_and_called_in_it() -> None:
    messages = (
        Message("user", "hi"),
        Message("assistant", "Let me see.", (A,)),
        Message("tool", "22"),
        Message("assistant", "It is warm."),
        Message("assistant", "", (B,)),
        Message("user", "thanks"),
        Message("assistant", "Bye."),
    )
    usage = Usage(1, 2)
    whole = AgentResponse(
        "Bye.", (A, B), 9.0, Execution.STUBS, messages, source="recorded", tells_calls=False
    )
    first = whole.of_turn(Turn(1, 5, 4.0, usage))
    assert first == AgentResponse(
        *("It is warm.", (A, B), 4.0, Execution.STUBS, messages[1:5]),
        usage=usage,
        source="recorded",
    )
    last = whole.of_turn(Turn(6, 7))
    assert (last.text, last.tool_calls, last.tells_calls) == ("Bye.", (), False)
    assert calls_in(messages) == (A, B)
    assert whole.of_turn(Turn(0, 1)).text == "", "what the user says is none of the agent's"
