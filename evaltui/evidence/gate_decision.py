"""What `gate` decided about a run, and whether that is about the comparison that lies beside it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from evaltui.core.errors import UserError
from evaltui.disk.codec import convert
from evaltui.files import RESULTS_LIMIT, is_file, read_file
from evaltui.traces.mistakes import refusal_of
from evaltui.traces.reading import decode_json

COMPARISON = Path("compare/baseline_delta.json")
DECISION = Path("compare/gate_decision.json")
_RUNS = ("baseline_run_id", "candidate_run_id")


class GateDecision(Struct, frozen=True):
    """What was decided, and why not."""

    passed: bool
    failures: tuple[str, ...] = ()
    thresholds: Mapping[str, Any] = field(default_factory=dict)
    is_outdated: bool = False
    """Whether it is about another comparison: that lets nothing pass, and is no failure either."""


def read_gate(pack: Path, run_id: str) -> GateDecision | None:
    """What was decided about the pack of this run; what cannot be read did not pass."""
    file = pack / DECISION
    if not is_file(file):
        return None
    try:
        raw = decode_json(read_file(file), str(file))
        found = convert(raw, GateDecision)
        report = _comparison(pack / COMPARISON)
    except (OSError, UserError) as error:
        return GateDecision(False, (f"the decision cannot be read: {error}",))
    except msgspec.ValidationError as error:
        wrong = refusal_of(error, str(file))
        return GateDecision(False, (f"the decision cannot be read: {wrong}",))
    if other := about_another(raw, report or {"candidate_run_id": run_id}):
        return replace(found, passed=False, failures=(other,), is_outdated=True)
    why = found.failures or (() if found.passed else ("the decision gives no reason",))
    return replace(found, passed=found.passed and not why, failures=why, is_outdated=False)


def about_another(decision: Mapping[str, Any], comparison: Mapping[str, Any]) -> str:
    """What else it is about, as a sentence; empty where it is about this comparison.

    Decisions of other programs do not say when their comparison was made; one that names no run
    lets none pass.
    """
    if not any(decision.get(one) for one in _RUNS) and decision.get("passed") is not True:
        return ""
    if any(comparison.get(one) not in (None, decision.get(one)) for one in _RUNS):
        of, here = _runs(decision), _runs(comparison)
        return f"the decision is about {of}, not about {here}: `evaltui gate` decides anew"
    made = decision.get("compare_generated_at")
    if made is not None and made != comparison.get("generated_at", made):
        return "the runs were compared again since: `evaltui gate` decides anew"
    return ""


def _runs(side: Mapping[str, Any]) -> str:
    told = (side.get(one) for one in _RUNS)
    return " → ".join("?" if one is None else str(one) for one in told)


def _comparison(file: Path) -> Mapping[str, Any] | None:
    found = decode_json(read_file(file, RESULTS_LIMIT), str(file)) if is_file(file) else None
    return found if isinstance(found, dict) else None
