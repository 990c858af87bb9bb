"""An answer as the events of a trace: in order, and the last thing that was said once."""

import pytest

from evaltui.core.response import AgentResponse, Message, ToolCall
from evaltui.traces.response_events import response_events

CALL = ToolCall("find", {"q": 1}, True, 2.0, {"hits": 3}, id="c1")
USER, RESULT = Message("user", "hi"), Message("tool", "3", tool_call_id="c1")
CALLS, SAID = Message("assistant", "", (CALL,)), Message("assistant", "three")
CALL_EVENTS = [("tool_call", {"q": 1}), ("tool_result", {"hits": 3})]
HI, THREE = ("message", "hi"), ("message", "three")


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        ((), [HI, *CALL_EVENTS, THREE]),
        ((USER, CALLS, RESULT, SAID), [HI, *CALL_EVENTS, THREE]),
        ((USER, SAID), [HI, *CALL_EVENTS, THREE]),
        ((USER, Message("assistant", "three", (CALL,))), [HI, THREE, *CALL_EVENTS]),
        (
            (USER, Message("assistant", "three", (CALL,)), RESULT, SAID),
            [HI, THREE, *CALL_EVENTS, THREE],
        ),
        (
            (USER, CALLS, RESULT, SAID, USER, Message("assistant", "three", extra={"id": "m"})),
            [HI, *CALL_EVENTS, THREE, HI, THREE],
        ),
    ],
    ids=["no messages", "all", "calls beside", "said with the call", "said again", "two turns"],
)
def test_an_answer_is_told_as_often_as_it_was_said(
    messages: tuple[Message, ...], told: list[tuple[str, object]]
) -> None:
    events = response_events("hi", AgentResponse("three", (CALL,), 12.0, messages=messages))
    found = [(one.type, one.input if one.output is None else one.output) for one in events]
    assert found == told
    assert sum(one.latency_ms or 0.0 for one in events) == 12.0
    assert [one.latency_ms for one in events if one.type == "tool_result"] == [2.0]


def test_a_model_that_only_called_said_nothing() -> None:
    events = response_events("hi", AgentResponse("", (CALL,), 12.0, messages=(USER, CALLS)))
    assert [(one.type, one.latency_ms) for one in events] == [
        ("message", None),
        ("tool_call", 10.0),
        ("tool_result", 2.0),
    ]
