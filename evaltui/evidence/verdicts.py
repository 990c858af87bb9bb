"""Verdicts as a pack holds them."""

from collections.abc import Sequence
from typing import Any

from evaltui.core.verdict import Verdict, VerdictStatus


def case_verdicts(case_id: str, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """What all judges say of one case: it passed when every judge that was not skipped did."""
    results = [_result(case_id, one) for one in verdicts]
    failed = [one for one in results if not one["passed"]]
    issues = next((one.evidence.get("issues") for one in verdicts if "issues" in one.evidence), ())
    return {
        "case_id": case_id,
        "passed": not failed,
        "hard_failed": any(one["hard_fail"] for one in failed),
        "replay_issues": issues,
        "judge_results": results,
    }


def score_of(verdict: Verdict) -> float:
    """Its value; of a check that tells none, 1.0 where it does not gate, else 0.0."""
    return float(not verdict.gates) if verdict.value is None else float(verdict.value)


def _result(case_id: str, verdict: Verdict) -> dict[str, Any]:
    """`hard_fail` is the kind of judge, not the outcome; `category` only of what failed."""
    result = {
        "case_id": case_id,
        "evidence_refs": verdict.evidence,
        "hard_fail": verdict.hard,
        "judge_id": verdict.check,
        "passed": not verdict.gates,
        "reason": verdict.reason,
        "score": score_of(verdict),
        "skipped": verdict.status is VerdictStatus.SKIPPED,
    }
    if verdict.gates:
        result["category"] = verdict.category or "assertion"
    return result
