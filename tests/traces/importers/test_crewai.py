"""Events of CrewAI, also as its own traces wrap them, tell what was asked, called and answered."""

import json
from typing import Any

import pytest

from tests.traces.importers.fixtures import BY_FRAMEWORK, events_of, imported


def event(kind: str, **told: Any) -> dict[str, Any]:
    return {"type": kind, **told}


def wrapped(one: dict[str, Any]) -> dict[str, Any]:
    return {"event_id": "e", "type": one["type"], "timestamp": "2026-01-01T10:00:00",
            "event_data": {**one, "timestamp": "2026-01-01T10:00:00"}}  # fmt: skip


def told(*events: Any) -> list[tuple[str, Any]]:
    found = events_of({"events": [*events]}, BY_FRAMEWORK)
    return [(one["type"], one["input"] or one["output"]) for one in found]


STARTED = event("crew_kickoff_started", inputs={"topic": "cheese"})
RAN = [
    event("tool_usage_started", tool_name="look", tool_args={"q": 1}),
    event("tool_usage_finished", tool_name="look", output="holes"),
]
DONE = event("agent_execution_completed", output="It has holes.")
NO_OUTPUT = event("agent_execution_completed", agent_role="A")
TASK = event("task_completed", output_raw="It has holes.")
END = event("crew_kickoff_completed", output={"raw": "It has holes."})
ASKED, ANSWER = ("message", {"topic": "cheese"}), ("message", "It has holes.")
CALLED = [("tool_call", {"q": 1}), ("tool_result", "holes")]


@pytest.mark.parametrize("wrap", [dict, wrapped], ids=["plain", "wrapped"])
@pytest.mark.parametrize(
    "ends",
    [
        [DONE],
        [DONE, TASK, END],
        [NO_OUTPUT, TASK, END],
        [NO_OUTPUT, END],
        [event("llm_call_completed", response="It has holes."), NO_OUTPUT, TASK],
    ],
)
def test_an_answer_is_told_once_wherever_it_stands(wrap: Any, ends: list[Any]) -> None:
    assert told(*map(wrap, [STARTED, *RAN, *ends])) == [ASKED, *CALLED, ANSWER]


def test_an_answer_behind_what_a_model_thought_is_told_once() -> None:
    thought = event("llm_call_completed", response="I know.\nFinal Answer: It has holes.")
    assert told(STARTED, thought, NO_OUTPUT, TASK)[1:] == [("message", thought["response"])]


def test_the_last_that_is_told_is_what_the_crew_gave() -> None:
    judged = event("llm_call_completed", response="5 of 5")
    events = told(STARTED, DONE, TASK, judged, END)
    assert events == [ASKED, ANSWER, ("message", "5 of 5"), ANSWER]


def test_an_agent_whose_answer_nobody_tells_is_missed() -> None:
    content = json.dumps({"events": [STARTED, NO_OUTPUT]}).encode()
    assert [one.kind for one in imported(content, BY_FRAMEWORK).diagnostics] == ["not_told"]


def test_without_inputs_a_task_says_what_was_asked() -> None:
    task = event("task_started", task_description="Describe cheese.")
    begun = event("crew_kickoff_started", inputs=None)
    assert told(begun, task, DONE) == [("message", "Describe cheese."), ANSWER]
    assert told(STARTED, task, DONE) == [ASKED, ANSWER]
