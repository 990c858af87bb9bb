"""The only place where verdicts are summed up."""

from collections.abc import Sequence

from evaltui.core.result import CaseStatus, Outcome
from evaltui.core.verdict import Kind, Verdict, VerdictStatus


def aggregate(verdicts: Sequence[Verdict]) -> Outcome:
    """The first verdict that gates decides; an error in a check is an error of the case.

    Assertions that were skipped count as skipped, never as run (contract A31 to A33). The score is
    the lowest value of an assertion. Metrics are collected by check and decide nothing.
    """
    run = skipped = 0
    tokens: list[str] = []
    metrics: dict[str, int | float] = {}
    score: float | None = None
    decisive: Verdict | None = None
    for verdict in verdicts:
        if verdict.kind is Kind.METRIC:
            if verdict.value is not None:
                metrics[verdict.check] = verdict.value
            continue
        if verdict.status is VerdictStatus.SKIPPED:
            skipped += 1
        else:
            run += 1
        if verdict.value is not None:
            score = verdict.value if score is None else min(score, verdict.value)
        if decisive is None and verdict.gates:
            decisive = verdict
        tokens += verdict.skipped_tokens
    status, reason, category = CaseStatus.PASSED, ALL_PASSED, ""
    if decisive is not None:
        is_error = decisive.status is VerdictStatus.ERROR
        status = CaseStatus.ERROR if is_error else CaseStatus.FAILED
        reason, category = decisive.reason, decisive.category or "assertion"
    return Outcome(
        status=status,
        reason=reason,
        category=category,
        score=score,
        metrics=metrics,
        assertions_run=run,
        assertions_skipped=skipped,
        skipped_tokens=tuple(tokens),
        verdicts=tuple(verdicts),
    )


ALL_PASSED = "All evaluators passed"
"""In the words of the evaluators' contract (R25)."""
