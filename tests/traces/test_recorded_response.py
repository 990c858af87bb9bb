"""What happened, as the answer that it was."""

from typing import Any

from evaltui.core.case import Case, CaseKey, TraceCase
from evaltui.core.trace import CALL_ID, Event
from evaltui.traces.pairing import results_of_calls
from evaltui.traces.recorded_response import recorded_response


def call(idx: int, tool: str, **fields: Any) -> Event:
    return Event(idx, actor="agent", type="tool_call", tool=tool, **fields)


def result(idx: int, tool: str | None, **fields: Any) -> Event:
    return Event(idx, actor="tool", type="tool_result", tool=tool, **fields)


def test_results_find_their_calls_by_id_else_by_tool() -> None:
    trace = (
        call(0, "a", attributes={CALL_ID: "1"}),
        call(1, "a", attributes={CALL_ID: "2"}),
        call(2, "b"),
        result(3, "a", attributes={CALL_ID: "2"}),
        result(4, None),
        result(5, "b"),
    )
    assert results_of_calls(trace) == {0: 4, 1: 3, 2: 5}


def test_a_result_of_another_attempt_is_none_of_it() -> None:
    trace = (call(0, "a", attempt=0), result(1, "a", attempt=1))
    assert results_of_calls(trace) == {0: None}


def test_text_calls_messages_and_time_are_those_of_the_events() -> None:
    trace = (
        Event(0, actor="user", type="message", input="Bern?"),
        call(1, "get_weather", input={"city": "Bern"}),
        result(2, "get_weather", output={"degrees": 12}, latency_ms=200),
        call(3, "get_weather", input="Rome"),
        result(4, "get_weather", error="no such city", latency_ms=50),
        Event(5, actor="assistant", type="message", output="12 degrees", latency_ms=600),
    )
    answer = recorded_response(Case(CaseKey("s", "c"), TraceCase("Bern?", trace=trace)))
    first, second = answer.tool_calls
    assert (answer.text, answer.duration_ms, answer.source) == ("12 degrees", 850, "trace")
    assert (first.params, first.result, first.success) == ({"city": "Bern"}, {"degrees": 12}, True)
    assert (second.params, second.success) == ({"input": "Rome"}, False)
    assert second.error == "no such city"
    roles = [one.role for one in answer.messages]
    assert roles == ["user", "assistant", "tool", "assistant", "tool", "assistant"]


def test_places_that_stand_twice_lose_no_call() -> None:
    trace = (call(0, "a"), call(0, "b"))
    answer = recorded_response(Case(CaseKey("s", "c"), TraceCase("", trace=trace)))
    assert [one.name for one in answer.tool_calls] == ["a", "b"]


def test_times_that_are_none_do_not_count() -> None:
    trace = (result(0, "a", latency_ms=-5), result(1, "a", latency_ms=1e308), result(2, "a"))
    more = (*trace, result(3, "a", latency_ms=1e308), result(4, "a", latency_ms=7))
    assert recorded_response(Case(CaseKey("s", "c"), TraceCase("", trace=more))).duration_ms == 7
