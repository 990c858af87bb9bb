"""What the agent itself said last: an event without output says nothing."""

from typing import Any

from evaltui.core.json_value import Json
from evaltui.traces.final_output import final_output
from evaltui.traces.reading import read_case, trace_body
from tests.traces.judges.test_judges import ask, call, result, say


def said(*events: dict[str, Any]) -> Json:
    return final_output(trace_body(read_case("d", {"case_id": "c", "trace": [*events]}, 0)))


def test_the_last_thing_the_agent_said_counts() -> None:
    assert said(say("a"), say("b")) == "b"
    assert said(say("a"), say(None)) == "a"
    assert said(say("a"), {"actor": "agent", "type": "message", "error": "lost"}) == "a"


def test_neither_tools_nor_users_answer_for_it() -> None:
    assert said(say("a"), call("t"), result("t", "tool"), ask(output="user")) == "a"
    assert said(result("t", "tool", actor="assistant"), ask()) is None
