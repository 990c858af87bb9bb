"""Latency and cost of a comparison, as people read them."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

SHOWN: Mapping[str, tuple[str, str]] = {
    "mean_latency_ms": ("mean latency", "{:,.1f} ms"),
    "p95_latency_ms": ("p95 of latency", "{:,.1f} ms"),
    "mean_cost_usd": ("mean cost", "${:,.4f}"),
    "total_cost_usd": ("cost of all cases", "${:,.4f}"),
}
"""Those that a gate can hold, with their unit."""


class MeasuredRow(Struct, frozen=True):
    name: str
    before: str
    after: str
    change: str
    """Empty where a side does not tell, or there is none."""
    is_worse: bool

    def text(self, arrow: str = "→") -> str:
        change = f" ({self.change})" if self.change else ""
        return f"{self.name}: {self.before} {arrow} {self.after}{change}"


def measured_rows(report: Mapping[str, Any]) -> Iterator[MeasuredRow]:
    """What either side measured; `report` as its file holds it."""
    whole = report["overview"]
    for key, (name, unit) in SHOWN.items():
        row = report["measurements"].get(key) or {}
        was, is_ = row.get("baseline"), row.get("candidate")
        if was is None and is_ is None:
            continue
        growth = None if was is None or is_ is None else is_ - was
        yield MeasuredRow(
            name,
            _side(was, unit, row.get("baseline_cases"), whole.get("total_baseline_cases")),
            _side(is_, unit, row.get("candidate_cases"), whole.get("total_candidate_cases")),
            f"{growth / was:+.1%}" if growth and was else "",
            growth is not None and growth > 0,
        )


def _side(value: float | None, unit: str, known: int | None, total: int | None) -> str:
    """Of some cases alone it is said of how many."""
    if value is None:
        return "not measured"
    is_of_all = known is None or total is None or known == total
    return unit.format(value) + ("" if is_of_all else f" in {known} of {total} cases")
