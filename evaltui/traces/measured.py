"""What a trace tells of its time, tokens and cost."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, isfinite

from evaltui.core.case import TraceCase
from evaltui.core.json_value import Json

KINDS = ("input", "output")
"""Of tokens."""


def latencies_ms(case: TraceCase) -> list[float]:
    """Of the events that tell theirs, in milliseconds, in their order."""
    found = (
        event.latency_ms if event.latency_ms is not None else event.attributes.get("latency_ms")
        for event in case.trace
    )
    return [one for each in found if (one := number(each)) is not None]


def tokens(case: TraceCase) -> dict[str, float | None]:
    """By kind; `None` where nothing tells of them."""
    given = list(_usages(case))
    return {kind: sum_of(one.get(f"{kind}_tokens") for one in given) for kind in KINDS}


def cost_usd(case: TraceCase) -> float | None:
    """What is told last of it, in dollars: whoever tells it tells the sum so far."""
    costs = [cost for one in _usages(case) if (cost := number(one.get("cost_usd"))) is not None]
    return costs[-1] if costs else None


def number(value: Json) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        return None
    return float(value)


def sum_of(values: Iterable[Json]) -> float | None:
    """Of what is a number; `None` when nothing is."""
    known = [one for each in values if (one := number(each)) is not None]
    return sum(known) if known else None


def percentile(values: Sequence[float], percent: int) -> float:
    """By nearest rank, of sorted values."""
    return values[max(0, ceil(percent / 100 * len(values)) - 1)]


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
