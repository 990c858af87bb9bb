"""What one judge said of one case, as packs and histories of repair loops hold it."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from evaltui.core.failure_category import category_of
from evaltui.core.json_value import Json
from evaltui.core.verdict import Kind, Verdict, VerdictStatus


class JudgeRow(Struct, frozen=True, gc=False):
    """As far as a comparison reads it: evidence is by far the largest part of a pack."""

    judge_id: str
    passed: bool
    score: float = 0.0
    reason: str = ""
    skipped: bool = False
    hard_fail: bool | None = None
    """The kind of judge, not the outcome; `None` where it is not told."""
    kind: Kind = Kind.ASSERTION
    """A metric only measures: its value is no score, and nothing is decided by it."""


class WholeRow(JudgeRow, frozen=True):
    """With what is shown of it."""

    hard_fail: bool = True
    category: str = ""
    evidence_refs: Any = None


def row_of(case_id: str, verdict: Verdict) -> dict[str, Any]:
    """As it is written; `category` only of what failed, `kind` only of a metric."""
    row = {
        "case_id": case_id,
        "evidence_refs": verdict.evidence,
        "hard_fail": verdict.hard,
        "judge_id": verdict.check,
        "passed": not verdict.gates,
        "reason": verdict.reason,
        "score": score_of(verdict),
        "skipped": verdict.says_nothing,
    }
    if verdict.kind is Kind.METRIC:
        row["kind"] = verdict.kind.value
    if verdict.gates:
        has_erred = verdict.status is VerdictStatus.ERROR
        row["category"] = category_of(verdict.category, "judge_error" if has_erred else "assertion")
    return row


def score_of(verdict: Verdict) -> float:
    """Its value; of a check that tells none, 1.0 where it does not gate, else 0.0."""
    return float(not verdict.gates) if verdict.value is None else float(verdict.value)


def issues_of(verdicts: Iterable[Verdict]) -> Json:
    """What the replay contract found; none where it was not asked."""
    return next((one.evidence["issues"] for one in verdicts if "issues" in one.evidence), [])
