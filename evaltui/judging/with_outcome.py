"""From an outcome to the fields of a result."""

from msgspec.structs import replace

from evaltui.core.result import CaseResult, Outcome


def with_outcome(result: CaseResult, outcome: Outcome) -> CaseResult:
    """The result of one attempt with the verdict that `outcome` is, all else as it was."""
    return replace(
        result,
        status=outcome.status,
        error="" if outcome.success else outcome.reason,
        category=outcome.category,
        score=outcome.score,
        metrics=outcome.metrics,
        assertions_run=outcome.assertions_run,
        assertions_skipped=outcome.assertions_skipped,
        skipped_tokens=outcome.skipped_tokens,
        verdicts=outcome.verdicts,
        passes=int(outcome.success),
    )
