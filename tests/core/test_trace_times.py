"""A trace without times took nobody knows how long; one that tells of 0 ms took none."""

import pytest

from evaltui.core.case import Case, CaseKey, ContractCase, TraceCase
from evaltui.core.trace import Event
from evaltui.core.trace_times import took


def trace(*latencies_ms: float | None) -> Case:
    events = tuple(Event(n, "agent", "message", latency_ms=ms) for n, ms in enumerate(latencies_ms))
    return Case(CaseKey("s", "a"), TraceCase("", trace=events))


@pytest.mark.parametrize(
    ("case", "duration_ms", "known"),
    [
        (trace(None, None), 0.0, None),
        (trace(None, 0), 0.0, 0.0),
        (trace(None), 12.0, 12.0),
        (Case(CaseKey("s", "a"), ContractCase("hi")), 0.0, 0.0),
    ],
)
def test_what_a_case_took(case: Case, duration_ms: float, known: float | None) -> None:
    assert took(case, duration_ms) == known
