"""What `gate` decided about a run, and whether that is about the comparison that lies beside it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from evaltui.evidence.compared.compare_report import CompareReport

COMPARISON = Path("compare/baseline_delta.json")
DECISION = Path("compare/gate_decision.json")
DECIDED_BY = "compare_report"
"""The key of the name of the report, where it lies beside the decision."""
CONTENT = "compare_content"
"""The key of the print of what was compared, and of what came of it."""
_RUNS = ("baseline_run_id", "candidate_run_id")


class GateDecision(Struct, frozen=True):
    """What was decided, and why not."""

    passed: bool
    failures: tuple[str, ...] = ()
    thresholds: Mapping[str, Any] = field(default_factory=dict)
    is_outdated: bool = False
    """Whether it is about another comparison: that lets nothing pass, and is no failure either."""
    warnings: tuple[str, ...] = ()
    """What refuses nothing, and is to be looked at."""
    waiver_refs: list[Any] | None = None
    """The waivers without which more would count against the run."""


def about_another(decision: Mapping[str, Any], comparison: CompareReport) -> str:
    """What else it is about, as a sentence; empty where it is about this comparison, or about one
    before it of the same packs with the same result.

    Decisions of other programs do not say when their comparison was made; one that names no run
    lets none pass.
    """
    if not any(decision.get(one) for one in _RUNS) and decision.get("passed") is not True:
        return ""
    compared = {one: getattr(comparison, one) for one in _RUNS}
    if any(run not in (None, decision.get(one)) for one, run in compared.items()):
        of, here = _runs(decision), _runs(compared)
        return f"the decision is about {of}, not about {here}: `evaltui gate` decides again"
    made, now = decision.get("compare_generated_at"), comparison.generated_at
    is_other = made is not None and now is not None and made != now
    if is_other and decision.get(CONTENT) != comparison.content:
        return "the runs were compared again since: `evaltui gate` decides again"
    return ""


def _runs(side: Mapping[str, Any]) -> str:
    ids = (side.get(one) for one in _RUNS)
    return " → ".join("?" if one is None else str(one) for one in ids)
