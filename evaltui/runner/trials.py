"""Several attempts at one case make one result."""

from collections.abc import Sequence

from msgspec.structs import replace

from evaltui.core.called import shown_calls_fingerprint
from evaltui.core.response import Usage, total_usage
from evaltui.core.result import CaseResult, CaseStatus, TrialResult


def aggregate_trials(results: Sequence[CaseResult]) -> CaseResult:
    """Passed when every attempt passed; failed when any failed, else error when any erred.

    What it shows (verdicts, response, duration, reason) is the first attempt that failed, else the
    last that erred, else the last: a failure that was told stays as it was told, whatever further
    attempts come to. `trials` counts judged attempts, since an endpoint that was down
    says nothing about the pass rate; with none judged it counts all. Usage is the sum.
    """
    ordered = sorted(results, key=lambda result: result.trial)
    if len(ordered) == 1:
        return ordered[0]
    return _as_one(tuple(map(_trial_of, ordered)), ordered)


def with_another(before: CaseResult, another: CaseResult) -> CaseResult:
    """As if one more attempt had been made with those of a result, because of what these came to:
    it was not planned."""
    tried = before.tried or (_trial_of(before),)
    attempts = (*tried, replace(_trial_of(another), trial=len(tried)))
    whole = _as_one(attempts, (before, another))
    return replace(whole, trial=another.trial, planned=before.as_planned)


def _as_one(attempts: tuple[TrialResult, ...], results: Sequence[CaseResult]) -> CaseResult:
    """`results` hold all the attempts: one each, or what several came to."""
    passes = sum(one.status is CaseStatus.PASSED for one in attempts)
    judged = passes + sum(one.status is CaseStatus.FAILED for one in attempts)
    shown = _first_failed(results) or _last_erred(results) or results[-1]
    # Its own error tells how many passed already where it is of several.
    ordered = attempts if shown.status is CaseStatus.FAILED else attempts[::-1]
    error = next(one.error for one in ordered if one.status is shown.status)
    response = shown.response
    if response is not None:
        response = replace(response, usage=_total_usage(results, shown))
    return replace(
        shown,
        error=f"{passes} of {judged} attempts passed; {error}" if passes and error else error,
        response=response,
        trials=judged or len(attempts),
        passes=passes,
        erred=sum(one.status is CaseStatus.ERROR for one in attempts),
        queued_ms=sum(result.queued_ms for result in results),
        finished_at=max(result.finished_at for result in results),
        attempts=attempts,
        was_counted=all(one.was_counted for one in attempts),
    )


def as_attempt(result: CaseResult, number: int) -> TrialResult:
    """What is kept of it beside those that follow."""
    facts = result.status, result.duration_ms, result.error
    return TrialResult(
        number,
        *facts,
        was_counted=result.was_counted,
        is_late=result.is_late,
        calls=shown_calls_fingerprint(result),
    )


def _trial_of(result: CaseResult) -> TrialResult:
    return as_attempt(result, result.trial)


def _first_failed(results: Sequence[CaseResult]) -> CaseResult | None:
    return next((one for one in results if one.status is CaseStatus.FAILED), None)


def _last_erred(results: Sequence[CaseResult]) -> CaseResult | None:
    return next((one for one in reversed(results) if one.status is CaseStatus.ERROR), None)


def _total_usage(results: Sequence[CaseResult], shown: CaseResult) -> Usage | None:
    """With what judging the attempts cost that are not shown: the verdicts tell that of `shown`."""
    usages = [result.response.usage for result in results if result.response]
    known = [usage for usage in usages if usage is not None]
    judged = [result.judging_usd for result in results if result is not shown]
    paid = [usd for usd in judged if usd is not None]
    if not known and not paid:
        return None
    costs = [usage.cost_usd for usage in known if usage.cost_usd is not None] + paid
    return total_usage(known, sum(costs) if costs else None)
