"""Latency and cost of a run's cases, as `report.json` has them."""

from array import array
from collections.abc import Mapping
from typing import Any

from evaltui.core.case import Case
from evaltui.core.trace_times import latencies_ms
from evaltui.traces.measured import cost_usd, percentile
from evaltui.traces.reading import trace_body

LATENCY, COST = "latency_ms", "cost_usd"
NAMES = {
    LATENCY: ("mean", "p50", "p95", "p99", "max"),
    COST: ("mean", "total"),
}
"""Of each measurement, besides `cases`, the number of cases that tell it."""


class Measurements:
    """Collects case by case: of each two numbers are kept."""

    def __init__(self) -> None:
        self._values = {name: array("d") for name in NAMES}

    def add(self, case: Case) -> None:
        """The latency of a case is that of all its events together."""
        body = trace_body(case)
        if times := latencies_ms(body.trace):
            self._values[LATENCY].append(sum(times))
        if (cost := cost_usd(body)) is not None:
            self._values[COST].append(cost)

    def values(self) -> dict[str, list[float]]:
        """Each case's, in their order."""
        return {name: list(values) for name, values in self._values.items()}

    def extend(self, values: Mapping[str, list[float]]) -> None:
        """By those of other cases."""
        for name in NAMES:
            self._values[name].extend(values[name])

    def document(self) -> dict[str, Any]:
        return {name: _summary(name, values) for name, values in self._values.items()}


def _summary(name: str, values: "array[float]") -> dict[str, float | None]:
    if not values:
        return {"cases": 0, **dict.fromkeys(NAMES[name])}
    ordered = sorted(values)
    known = {
        "mean": sum(ordered) / len(ordered),
        "p50": percentile(ordered, 50),
        "p95": percentile(ordered, 95),
        "p99": percentile(ordered, 99),
        "max": ordered[-1],
        "total": sum(ordered),
    }
    return {"cases": len(ordered), **{one: known[one] for one in NAMES[name]}}


def held_together(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Of two runs each measurement with both sides, as `p95_latency_ms`, `total_cost_usd`."""
    return {
        f"{one}_{name}": {
            "name": f"{one}_{name}",
            "baseline": _of(before, name, one),
            "candidate": _of(after, name, one),
            "baseline_cases": _of(before, name, "cases"),
            "candidate_cases": _of(after, name, "cases"),
        }
        for name, ones in NAMES.items()
        for one in ones
    }


def _of(side: Mapping[str, Any], name: str, one: str) -> Any:
    found = side.get(name)
    return found.get(one) if isinstance(found, Mapping) else None
