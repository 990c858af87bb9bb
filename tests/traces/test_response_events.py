"""An answer as the events of a trace: in order, and the last thing that was said once."""

from typing import Any

import pytest
from msgspec.structs import replace

from evaltui.core.case import TraceCase
from evaltui.core.response import AgentResponse, Message, ToolCall, calls_in
from evaltui.core.trace import CALL_ID
from evaltui.core.verdict import VerdictStatus
from evaltui.traces.judges.trajectory_step import TrajectoryStepJudge
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


A, B, NAMELESS = (
    ToolCall("find", {"q": id_}, result=f"of {id_}", id=id_) for id_ in ("a", "b", "")
)


def tells(call: ToolCall, name: str = "") -> Message:
    return Message("tool", str(call.result), tool_call_id=call.id, name=name)


BOTH, LATER = Message("assistant", "", (A, B)), Message("assistant", "a moment")
OTHER = ToolCall("save", {"to": "disk"}, result="saved")


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        ((BOTH, tells(A), tells(B)), [{"q": "a"}, {"q": "b"}, "of a", "of b"]),
        ((BOTH, tells(B), tells(A)), [{"q": "a"}, {"q": "b"}, "of b", "of a"]),
        ((BOTH,), [{"q": "a"}, {"q": "b"}, "of a", "of b"]),
        ((BOTH, tells(B), LATER, tells(A)), [{"q": "a"}, {"q": "b"}, "of b", "a moment", "of a"]),
        (
            (Message("assistant", "", (A,)), Message("assistant", "", (B,)), tells(A), tells(B)),
            [{"q": "a"}, {"q": "b"}, "of a", "of b"],
        ),
        (
            (Message("assistant", "", (A,)), USER, Message("assistant", "", (A,)), tells(A)),
            [{"q": "a"}, "of a", "hi", {"q": "a"}, "of a"],
        ),
        (
            (Message("assistant", "", (NAMELESS, OTHER)), tells(OTHER, "save"), tells(NAMELESS)),
            [{"q": ""}, {"to": "disk"}, "saved", "of "],
        ),
        (
            (BOTH, tells(OTHER, "save"), tells(A), tells(B)),
            [{"q": "a"}, {"q": "b"}, "of a", "of b"],
        ),
    ],
    ids=[
        *("in order", "in another", "untold", "one late", "two messages", "an id again"),
        *("without ids", "of no call"),
    ],
)
def test_calls_of_one_answer_stand_before_their_results(
    messages: tuple[Message, ...], told: list[Any]
) -> None:
    answer = (USER, *messages, SAID)
    events = response_events("hi", AgentResponse("three", calls_in(messages), messages=answer))
    found = [one.input or one.output for one in events]
    assert found == ["hi", *told, "three"]
    verdict = TrajectoryStepJudge({}).judge(TraceCase("", trace=events))
    assert verdict.status is VerdictStatus.PASSED


def test_results_that_an_agent_tells_beside_its_messages_are_those_of_its_calls() -> None:
    bare = Message("assistant", "", tuple(replace(one, result=None) for one in (A, B)))
    answer = AgentResponse("three", (A, B), messages=(USER, bare, tells(B), tells(A), SAID))
    results = [one for one in response_events("hi", answer) if one.type == "tool_result"]
    assert [(one.attributes[CALL_ID], one.output) for one in results] == [
        ("b", "of b"),
        ("a", "of a"),
    ]
