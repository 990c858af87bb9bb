"""What events of a trace took, as they tell it."""

from collections.abc import Iterable

from evaltui.core.case import Case, TraceCase
from evaltui.core.json_value import Json
from evaltui.core.reported_number import as_number, milliseconds
from evaltui.core.trace import Event


def latency_of(event: Event) -> float | None:
    """What it took, in milliseconds; `None` where it does not tell, or tells no time."""
    return milliseconds(as_number(_reported_latency(event)))


def tells_no_time(event: Event) -> bool:
    """Whether it tells a latency that is none: negative, beyond all measure, no number."""
    return _reported_latency(event) is not None and latency_of(event) is None


def is_negative(event: Event) -> bool:
    """Whether it tells a latency below 0."""
    latency = as_number(_reported_latency(event))
    return isinstance(latency, int | float) and latency < 0


def latencies_ms(trace: Iterable[Event]) -> list[float]:
    """Of the events that tell theirs, in milliseconds, in their order."""
    return [one for event in trace if (one := latency_of(event)) is not None]


def took(case: Case, duration_ms: float) -> float | None:
    """What a result of the case took, in milliseconds; `None` where its trace tells no time."""
    body = case.body
    is_told = duration_ms or not isinstance(body, TraceCase) or latencies_ms(body.trace)
    return duration_ms if is_told else None


def _reported_latency(event: Event) -> Json:
    latency = event.latency_ms
    return event.attributes.get("latency_ms") if latency is None else latency
