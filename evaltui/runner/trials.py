"""Several attempts at one case make one result."""

from collections.abc import Sequence

from msgspec.structs import replace

from evaltui.core.response import Usage
from evaltui.core.result import CaseResult, CaseStatus, TrialResult


def aggregate_trials(results: Sequence[CaseResult]) -> CaseResult:
    """Passed when every attempt passed; failed when any failed, else error when any erred.

    What it shows (verdicts, response, duration) is the last attempt that failed, else the last
    that erred, else the last. `trials` counts judged attempts, since an endpoint that was down
    says nothing about the pass rate; with none judged it counts all. Usage is the sum.
    """
    ordered = sorted(results, key=lambda result: result.trial)
    if len(ordered) == 1:
        return ordered[0]
    passes = sum(result.status is CaseStatus.PASSED for result in ordered)
    judged = passes + sum(result.status is CaseStatus.FAILED for result in ordered)
    shown = _last(ordered, CaseStatus.FAILED) or _last(ordered, CaseStatus.ERROR) or ordered[-1]
    response = shown.response
    if response is not None:
        response = replace(response, usage=_total_usage(ordered, shown))
    return replace(
        shown,
        error=_with_passes(shown.error, passes, judged),
        response=response,
        trials=judged or len(ordered),
        passes=passes,
        queued_ms=sum(result.queued_ms for result in ordered),
        attempts=tuple(
            TrialResult(result.trial, result.status, result.duration_ms, result.error)
            for result in ordered
        ),
    )


def with_another(before: CaseResult, another: CaseResult) -> CaseResult:
    """As if one more attempt had been made with those of a result, by the same rules."""
    tried = before.attempts or (_trial_of(before),)
    attempts = (*tried, replace(_trial_of(another), trial=len(tried)))
    shown = next(
        (
            one
            for status in (CaseStatus.FAILED, CaseStatus.ERROR)
            for one in (another, before)
            if one.status is status
        ),
        another,
    )
    statuses = [one.status for one in attempts]
    passes = statuses.count(CaseStatus.PASSED)
    judged = passes + statuses.count(CaseStatus.FAILED)
    error = next(one.error for one in reversed(attempts) if one.status is shown.status)
    response = shown.response
    if response is not None:
        response = replace(response, usage=_total_usage((before, another), shown))
    return replace(
        shown,
        error=_with_passes(error, passes, judged),
        response=response,
        trial=another.trial,
        trials=judged or len(attempts),
        passes=passes,
        queued_ms=before.queued_ms + another.queued_ms,
        attempts=attempts,
    )


def _with_passes(error: str, passes: int, judged: int) -> str:
    return f"{passes} of {judged} attempts passed; {error}" if passes and error else error


def _trial_of(result: CaseResult) -> TrialResult:
    return TrialResult(result.trial, result.status, result.duration_ms, result.error)


def _last(results: Sequence[CaseResult], status: CaseStatus) -> CaseResult | None:
    return next((result for result in reversed(results) if result.status is status), None)


def _total_usage(results: Sequence[CaseResult], shown: CaseResult) -> Usage | None:
    """With what judging the attempts cost that are not shown: the verdicts tell that of `shown`."""
    usages = [result.response.usage for result in results if result.response]
    known = [usage for usage in usages if usage is not None]
    judged = [result.judging_usd for result in results if result is not shown]
    paid = [usd for usd in judged if usd is not None]
    if not known and not paid:
        return None
    costs = [usage.cost_usd for usage in known if usage.cost_usd is not None] + paid
    return Usage(
        sum(usage.input_tokens for usage in known),
        sum(usage.output_tokens for usage in known),
        sum(costs) if costs else None,
    )
