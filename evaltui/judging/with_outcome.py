"""From an outcome to the fields of a result."""

from msgspec.structs import replace

from evaltui.core.outcome import Outcome
from evaltui.core.result import CaseResult


def with_outcome(result: CaseResult, outcome: Outcome) -> CaseResult:
    """The result of one attempt with the verdict that `outcome` is, all else as it was."""
    return replace(
        result,
        status=outcome.status,
        error="" if outcome.success else _error(result, outcome),
        category=outcome.category,
        score=outcome.score,
        metrics=outcome.metrics,
        assertions_run=outcome.assertions_run,
        assertions_skipped=outcome.assertions_skipped,
        skipped_tokens=outcome.skipped_tokens,
        verdicts=outcome.verdicts,
        passes=int(outcome.success),
        planned=None,
    )


def _error(result: CaseResult, outcome: Outcome) -> str:
    """What failed, and at which turn of a conversation: reasons of evaluators tell neither."""
    decisive = next((one for one in outcome.verdicts if one.gates), None)
    if decisive is None:
        return outcome.reason
    turns = result.response.conversation if result.response is not None else ()
    return f"turn {len(turns)}: {decisive.named}" if len(turns) > 1 else decisive.named
