"""The gate decision in a pack: one that passes holds only if the gate would still say so about the
comparison next to it, and about the packs that were compared."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from evaltui.core.errors import UserError
from evaltui.disk.codec import convert
from evaltui.evidence.compared.compare_report import CompareReport, report_of
from evaltui.evidence.compared.compared_packs import wrong_packs
from evaltui.evidence.gates.approvals import waived_cases
from evaltui.evidence.gates.gate_decision import (
    COMPARISON,
    DECIDED_BY,
    DECISION,
    GateDecision,
    about_another,
)
from evaltui.evidence.gates.gating import THRESHOLDS, gate
from evaltui.files import is_file, leads_out, read_file
from evaltui.traces.mistakes import refusal_of
from evaltui.traces.reading import decode_file, decode_json

_ANEW = "`evaltui gate` decides again"


def read_gate(pack: Path, run_id: str) -> GateDecision | None:
    """What was decided about the pack of this run; what cannot be read did not pass."""
    file = pack / DECISION
    if not is_file(file):
        return None
    try:
        raw = decode_json(read_file(file), str(file))
        found = convert(raw, GateDecision)
        place = _decided_by(raw, pack)
        comparison = decode_file(place) if is_file(place) else None
        compared = CompareReport(candidate_run_id=run_id)
        if isinstance(comparison, dict):
            compared = report_of(comparison, CompareReport, str(place))
        other = about_another(raw, compared)
        if not other and found.passed and not found.failures:
            other = _unfounded(raw, comparison, place, pack)
    except (OSError, UserError) as error:
        return GateDecision(False, (f"the decision cannot be read: {error}",))
    except msgspec.ValidationError as error:
        wrong = refusal_of(error, str(file))
        return GateDecision(False, (f"the decision cannot be read: {wrong}",))
    if other:
        return replace(found, passed=False, failures=(other,), is_outdated=True)
    why = found.failures or (() if found.passed else ("the decision gives no reason",))
    return replace(found, passed=found.passed and not why, failures=why, is_outdated=False)


def not_so_decided(decision: Mapping[str, Any], report: CompareReport) -> str:
    """Why the gate would not let the report pass, by the thresholds and waivers of a decision that
    did; empty where it would."""
    thresholds, refs = decision.get("thresholds"), decision.get("waiver_refs")
    bounds = thresholds if isinstance(thresholds, Mapping) else {}
    held = {name: bounds[name] for name in THRESHOLDS if bounds.get(name) is not None}
    waivers = [one for one in refs if isinstance(one, Mapping)] if isinstance(refs, list) else []
    try:
        failures = gate(report, held, waived_cases(report, waivers))["failures"]
    except UserError as error:
        failures = [error.what.removesuffix(".")]
    return f"by the comparison it does not pass: {failures[0]}" if failures else ""


def _decided_by(decision: Any, pack: Path) -> Path:
    """The report beside it that it names, else the one that `compare` writes by itself."""
    name = decision.get(DECIDED_BY) if isinstance(decision, dict) else None
    place = pack / COMPARISON
    if isinstance(name, str) and name == Path(name).name and "\0" not in name:
        place = place.with_name(name)
    return pack / COMPARISON if leads_out(place, pack) else place


def _unfounded(decision: Mapping[str, Any], comparison: Any, place: Path, pack: Path) -> str:
    """Why a decision that passed says nothing about the packs; empty where it does."""
    if comparison is None:
        return f"there is no comparison next to the decision: {_ANEW}"
    report = report_of(comparison, CompareReport, str(place))
    why = not_so_decided(decision, report) or next(
        wrong_packs(report, place, pack, is_whole=False), ""
    )
    return f"{why}: {_ANEW}" if why else ""
