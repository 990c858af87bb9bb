"""One case of a result file: the contract's EvalCaseResult with additive keys, both ways.

What is always written has no default that it could equal; what only sometimes says something is
left out at its default, which msgspec knows by identity (`0`, not `0.0`). Everything is optional
when read: other programs write less, and null.
"""

from collections.abc import Iterable
from typing import Annotated, Any, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, field
from msgspec.structs import astuple

from evaltui.core.case import CaseKey
from evaltui.core.inputs import Inputs
from evaltui.core.result import FAILING, CaseResult, CaseStatus, PinnedAs, TrialResult
from evaltui.core.statistics.trials import MOST_TRIALS, Planned, Trials
from evaltui.core.utf16 import utf16_length
from evaltui.core.verdict import RUBRIC, Verdict
from evaltui.disk.results.response_wire import (
    CallWire,
    ResponseWire,
    calls_to_wire,
    response_of,
    response_to_wire,
)
from evaltui.disk.results.verdict_wire import VerdictWire, verdict_of, verdict_to_wire

Count: TypeAlias = Annotated[int, Meta(ge=0, le=MOST_TRIALS)]


class TrialWire(Struct, rename="camel", gc=False):
    """As `TrialResult`."""

    trial: int
    status: CaseStatus
    duration_ms: float = 0.0
    error: str = ""
    was_counted: bool | UnsetType = field(default=UNSET, name="countedBefore")
    is_late: bool | UnsetType = field(default=UNSET, name="timedOut")
    calls: str | UnsetType = UNSET


class InputsWire(Inputs, frozen=True, omit_defaults=True, gc=False):
    """As `Inputs`."""


class PinnedWire(Struct, omit_defaults=True, gc=False):
    """As `PinnedAs`; passes and failures of the fresh trials."""

    at: float = 0.0
    passes: Count = 0
    failures: Count = 0
    earlier: tuple[tuple[str, str], ...] = ()
    """Suite and case of each name."""


class PlannedWire(Struct, omit_defaults=True, gc=False):
    """As `Planned`."""

    passes: Count = 0
    failures: Count = 0
    errors: Count = 0


class DetailsWire(Struct, rename="camel", gc=False):
    """What the contract's `details` says of a case."""

    tools_called: tuple[str, ...] = ()
    response_length: int = 0
    skipped_tokens: tuple[str, ...] = ()
    stale: bool = False
    rubric: dict[str, Any] | UnsetType = UNSET
    """By dimension what a judge said: `score`, `maxScore`, `criteria`."""


class BriefWire(Struct, rename="camel", omit_defaults=True, gc=False):
    """A case without verdicts and response."""

    id: str | int | None = None
    description: str | None = None
    passed: bool | None = None
    duration_ms: float | None = None
    assertions_run: int | None = None
    assertions_skipped: int | None = None
    error: str | None = None
    details: DetailsWire | None = None
    status: CaseStatus | None = None
    reason: str | None = None
    stale: bool | None = None
    queued_ms: float | None = None
    finished_at: float | None = None
    carried_from: str | None = None
    trial: int | None = None
    trials: Count | None = None
    passes: Count | None = None
    attempts: tuple[TrialWire, ...] | None = None
    planned: PlannedWire | None = None
    category: str | None = None
    score: float | None = None
    metrics: dict[str, int | float] | None = None
    inputs: InputsWire | None = None
    asserted: dict[str, tuple[str, ...]] | None = None
    counted_before: bool | None = None
    judged_again: bool | None = None
    pinned: PinnedWire | None = None


class CaseWire(BriefWire, rename="camel", omit_defaults=True, gc=False):
    """A whole case."""

    response: str | None = None
    tool_calls: tuple[CallWire, ...] | None = None
    agent_response: ResponseWire | None = None
    verdicts: tuple[VerdictWire, ...] | None = None


def to_wire(case: CaseResult, *, brief: bool = False, is_outdated: bool = False) -> CaseWire:
    """`brief` leaves out verdicts and conversation, as for a pinned copy: what is left of an answer
    to one question is what its assertions look at.

    `is_outdated` is of the suite, when the file is written; it is not read back (contract B11).
    """
    response = case.response
    is_passed = case.status is CaseStatus.PASSED
    wire = CaseWire(
        case.key.case,
        case.description,
        is_passed,
        millis(case.duration_ms),
        case.assertions_run,
        case.assertions_skipped,
        details=DetailsWire(
            tuple([call.name for call in response.tool_calls]) if response else (),
            utf16_length(response.text) if response else 0,
            case.skipped_tokens,
            is_outdated,
            _rubric_of(case.verdicts) or UNSET,
        ),
        status=case.status,
        stale=is_outdated,
        queued_ms=millis(case.queued_ms),
        finished_at=round(case.finished_at, 3),
        carried_from=case.carried_from or None,
        category=case.category or None,
        score=case.score,
        metrics=dict(case.metrics) or None,
        inputs=InputsWire(*astuple(case.inputs)),
        asserted=None if case.asserted is None else dict(case.asserted),
    )
    if case.status in FAILING:
        wire.error = case.error or case.status.value
    elif case.status is CaseStatus.SKIPPED:
        wire.reason = case.error or None
    if case.trials > 1:
        wire.trial, wire.trials, wire.passes = case.trial, case.trials, case.passes
    elif case.passes != is_passed:
        wire.passes = case.passes
    if case.attempts:
        wire.attempts = tuple(map(_attempt_to_wire, case.attempts))
    if case.planned is not None:
        judged = case.planned.judged
        wire.planned = PlannedWire(judged.passes, judged.failures, case.planned.erred)
    if case.was_counted:
        wire.counted_before = True
    if case.was_judged_again:
        wire.judged_again = True
    if case.pinned is not None:
        fresh, earlier = case.pinned.fresh, tuple((*one,) for one in case.pinned.earlier)
        wire.pinned = PinnedWire(case.pinned.at, fresh.passes, fresh.failures, earlier)
    if response is not None:
        wire.response = response.text
        wire.tool_calls = calls_to_wire(response.tool_calls)
        wire.agent_response = (
            ResponseWire(response.duration_ms, response.execution)
            if brief
            else response_to_wire(response)
        )
    if case.verdicts and not brief:
        wire.verdicts = tuple([verdict_to_wire(verdict) for verdict in case.verdicts])
    return wire


def written_status(status: CaseStatus | None, *, is_passed: bool | None) -> CaseStatus:
    """A case without a status, as other programs write it, has passed or failed."""
    return status or (CaseStatus.PASSED if is_passed else CaseStatus.FAILED)


def from_wire(wire: BriefWire, *, suite: str, run_id: str, agent: str) -> CaseResult:
    """What is missing or null is at its default."""
    status = written_status(wire.status, is_passed=wire.passed)
    passes = int(status is CaseStatus.PASSED) if wire.passes is None else wire.passes
    details, attempts = wire.details, wire.attempts
    carried, trials = wire.carried_from or "", max(1, wire.trials or 1)
    whole = wire if isinstance(wire, CaseWire) else CaseWire()
    text, calls = whole.response, whole.tool_calls or ()
    return CaseResult(
        key=CaseKey(suite, "" if wire.id is None else str(wire.id)),
        run_id=carried or run_id,
        agent=agent,
        status=status,
        description=wire.description or "",
        duration_ms=wire.duration_ms or 0.0,
        assertions_run=wire.assertions_run or 0,
        assertions_skipped=wire.assertions_skipped or 0,
        skipped_tokens=details.skipped_tokens if details else (),
        error=wire.error or wire.reason or "",
        category=wire.category or "",
        score=wire.score,
        metrics=wire.metrics or {},
        verdicts=tuple([verdict_of(one) for one in whole.verdicts or ()]),
        response=None if text is None else response_of(text, calls, whole.agent_response),
        inputs=Inputs(*astuple(wire.inputs)) if wire.inputs else Inputs(),
        queued_ms=wire.queued_ms or 0.0,
        finished_at=wire.finished_at or 0.0,
        carried_from=carried,
        trial=wire.trial or 0,
        trials=trials,
        passes=passes,
        erred=erred_of((one.status for one in attempts or ()), trials),
        attempts=tuple(map(_attempt_of, attempts)) if attempts else (),
        planned=planned_of(wire.planned),
        was_counted=bool(wire.counted_before),
        was_judged_again=bool(wire.judged_again),
        asserted=wire.asserted,
        pinned=pinned_of(wire.pinned),
    )


def pinned_of(wire: PinnedWire | None) -> PinnedAs | None:
    """`None` where the copy does not say."""
    if wire is None:
        return None
    earlier = tuple(CaseKey(*name) for name in wire.earlier)
    return PinnedAs(wire.at, Trials(wire.passes, wire.failures), earlier)


def planned_of(wire: PlannedWire | None) -> Planned | None:
    """`None` where the file does not say."""
    return None if wire is None else Planned(Trials(wire.passes, wire.failures), wire.errors)


def _attempt_to_wire(attempt: TrialResult) -> TrialWire:
    counted, late = attempt.was_counted or UNSET, attempt.is_late or UNSET
    facts = attempt.trial, attempt.status, attempt.duration_ms, attempt.error
    return TrialWire(*facts, counted, late, attempt.calls or UNSET)


def _attempt_of(wire: TrialWire) -> TrialResult:
    was_counted, is_late = wire.was_counted is True, wire.is_late is True
    facts = wire.trial, wire.status, wire.duration_ms, wire.error
    return TrialResult(*facts, was_counted, is_late, wire.calls or "")


def erred_of(attempts: Iterable[CaseStatus], trials: int) -> int:
    """As of a `CaseResult`: all of `trials`, or no more than these leave."""
    statuses = [*attempts]
    errors = statuses.count(CaseStatus.ERROR)
    if errors == trials == len(statuses):
        return errors
    return max(0, min(errors, len(statuses) - trials))


def millis(value: float) -> float:
    """Microseconds are enough; whole milliseconds are written as whole numbers."""
    return int(value) if float(value).is_integer() else round(value, 3)


def _rubric_of(verdicts: tuple[Verdict, ...]) -> dict[str, Any]:
    of_rubric = [one for one in verdicts if one.check.startswith(RUBRIC)]
    return {
        one.check.removeprefix(RUBRIC): {
            key: one.evidence.get(key) for key in ("score", "maxScore", "criteria")
        }
        for one in of_rubric
    }
