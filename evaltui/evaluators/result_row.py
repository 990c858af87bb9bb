"""A verdict as a row of `evaluatorResults`, in the shape of the evaluators' contract."""

from evaltui.core.json_value import Json
from evaltui.core.verdict import Verdict, VerdictStatus


def row_of(verdict: Verdict) -> dict[str, Json]:
    """`value` and `metadata` only where there are some."""
    row: dict[str, Json] = {
        "type": verdict.check,
        "label": verdict.label or verdict.check,
        "kind": verdict.kind.value,
        "success": verdict.status in (VerdictStatus.PASSED, VerdictStatus.SKIPPED),
    }
    if verdict.value is not None:
        row["value"] = verdict.value
    row["reason"] = verdict.reason
    if verdict.evidence:
        row["metadata"] = dict(verdict.evidence)
    return row
