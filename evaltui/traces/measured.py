"""What a trace tells of its time, tokens and cost."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil

from evaltui.core.case import TraceCase
from evaltui.core.json_value import Json
from evaltui.core.told_number import amount, finite, milliseconds
from evaltui.core.trace import Event

KINDS = ("input", "output")
"""Of tokens."""


def latency_of(event: Event) -> float | None:
    """What it took, in milliseconds; `None` where it does not tell, or tells no time."""
    return milliseconds(_told_latency(event))


def tells_no_time(event: Event) -> bool:
    """Whether it tells a latency that is none: negative, beyond all measure, no number."""
    return _told_latency(event) is not None and latency_of(event) is None


def is_negative(event: Event) -> bool:
    """Whether it tells a latency below 0."""
    told = _told_latency(event)
    return isinstance(told, int | float) and told < 0


def latencies_ms(trace: Iterable[Event]) -> list[float]:
    """Of the events that tell theirs, in milliseconds, in their order."""
    return [one for event in trace if (one := latency_of(event)) is not None]


def tokens(case: TraceCase) -> dict[str, float | None]:
    """By kind; `None` where nothing tells of them, or something tells a negative number."""
    given = list(_usages(case))
    return {kind: _sum_of(one.get(f"{kind}_tokens") for one in given) for kind in KINDS}


def total_tokens(case: TraceCase) -> float | None:
    """Of all kinds; as unknown as that of one kind is."""
    return _sum_of(one.get(f"{kind}_tokens") for one in _usages(case) for kind in KINDS)


def cost_usd(case: TraceCase) -> float | None:
    """What is told last of it, in dollars: whoever tells it tells the sum so far.

    `None` where nothing is told, or what is told last is no amount.
    """
    costs = [cost for one in _usages(case) if _is_number(cost := one.get("cost_usd"))]
    return amount(costs[-1]) if costs else None


def percentile(values: Sequence[float], percent: int) -> float:
    """By nearest rank, of sorted values."""
    return values[max(0, ceil(percent / 100 * len(values)) - 1)]


def _sum_of(values: Iterable[Json]) -> float | None:
    """Of what is a number; `None` when nothing is, or one is no amount: it would be too low."""
    total: float | None = None
    for each in values:
        if _is_number(each):
            known = amount(each)
            if known is None:
                return None
            total = (total or 0.0) + known
    return finite(total)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _told_latency(event: Event) -> Json:
    told = event.latency_ms
    return event.attributes.get("latency_ms") if told is None else told


def _usages(case: TraceCase) -> Iterator[Mapping[str, Json]]:
    """What is told of tokens and cost, by the names of `token_usage`."""
    if isinstance(told := case.metadata.get("token_usage"), Mapping):
        yield told
    for event in case.trace:
        yield {
            name: event.attributes.get(
                f"gen_ai.usage.{name}", event.attributes.get(f"usage.{name}")
            )
            for name in ("input_tokens", "output_tokens", "cost_usd")
        }
