"""What a run did to a case: its result compared with the previous one."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Self

from msgspec import Struct

from evaltui.core.baseline import BaselineCase
from evaltui.core.bearing import differ_in_effort_only
from evaltui.core.called import have_other_calls
from evaltui.core.case import CaseKey
from evaltui.core.result import CaseResult, CaseStatus


class Effect(StrEnum):
    """How a result differs from the one before; what wants attention first."""

    WORSE = "worse"
    """It passed before and fails now; of several trials all had to pass, but where one side was
    tried more often: then it passed before if most trials did."""
    BETTER = "better"
    """It failed before and passes now."""
    ERROR = "error"
    """It could not be judged now, so that nothing can be said of a change."""
    CALLS_DIFFER = "calls differ"
    """The verdict is the same; a call, its order or a parameter is not."""
    AS_BEFORE = "as before"
    NEW = "new"
    """There is no verdict to hold it against."""

    @property
    def key(self) -> str:
        """What programs are told it by: the field of `RunChanges`, as events have it."""
        return "errors" if self is Effect.ERROR else self.value.replace(" ", "_")


class ReportedEffect(Struct, frozen=True):
    """What a run told of one of its cases."""

    effect: Effect
    is_muted: bool = False
    """Whether its failures did not count then."""


class StoodBefore(Struct, frozen=True):
    """What a case had come to before a run that was interrupted, and that another goes on with."""

    result: CaseResult
    """The last one until then, without verdicts and response."""
    verdict: CaseStatus | None = None
    """The last that said whether it passed, for where `result` is an error."""


CHANGED = frozenset({Effect.WORSE, Effect.BETTER, Effect.ERROR, Effect.CALLS_DIFFER})
"""Those that a save made another than they were."""

EXPLAINED_BY_PREVIOUS_CALLS = frozenset({Effect.BETTER, Effect.CALLS_DIFFER})
"""Those that the calls before say more of than what is expected does."""


class AtTimes(Struct, frozen=True, gc=False):
    """How many cases count as failed, as not all of their trials passed, and are held for passed,
    as most did: so much the cases that passed before and now differ by more than worse and better.
    """

    before: int = 0
    now: int = 0

    @property
    def words(self) -> str:
        """`11 failed at times before, 1 fails at times now`; empty where there are none."""
        fail = "fails" if self.now == 1 else "fail"
        said = (
            f"{self.before:,} failed at times before" if self.before else "",
            f"{self.now:,} {fail} at times now" if self.now else "",
        )
        return ", ".join(filter(None, said))


NEVER = AtTimes()


class RunChanges(Struct, frozen=True, gc=False):
    """What one run did to its cases; of muted ones nothing but their number."""

    worse: tuple[CaseKey, ...] = ()
    better: tuple[CaseKey, ...] = ()
    errors: tuple[CaseKey, ...] = ()
    calls_differ: tuple[CaseKey, ...] = ()
    as_before: int = 0
    new: int = 0
    muted: int = 0
    new_failed: int = 0
    """Of the `new` ones."""
    new_cases: tuple[CaseKey, ...] = ()
    """The `new` ones, where they have to be told from those that came out as before."""
    at_times: AtTimes = NEVER

    @classmethod
    def of(
        cls,
        effects: Iterable[tuple[CaseKey, Effect | None]],
        *,
        muted: int = 0,
        new_failed: int = 0,
        at_times: AtTimes = NEVER,
    ) -> Self:
        """From the effect on each case; `None` when it does not count. `muted` of these ran."""
        found: dict[Effect | None, list[CaseKey]] = {}
        for key, effect in effects:
            found.setdefault(effect, []).append(key)
        new, as_before = found.get(Effect.NEW, ()), len(found.get(Effect.AS_BEFORE, ()))
        return cls(
            tuple(found.get(Effect.WORSE, ())),
            tuple(found.get(Effect.BETTER, ())),
            tuple(found.get(Effect.ERROR, ())),
            tuple(found.get(Effect.CALLS_DIFFER, ())),
            as_before,
            len(new),
            muted,
            new_failed,
            tuple(new) if as_before else (),
            at_times,
        )

    @property
    def effects(self) -> dict[CaseKey, Effect]:
        """Of the cases that are named."""
        return {
            **dict.fromkeys(self.worse, Effect.WORSE),
            **dict.fromkeys(self.better, Effect.BETTER),
            **dict.fromkeys(self.errors, Effect.ERROR),
            **dict.fromkeys(self.calls_differ, Effect.CALLS_DIFFER),
            **dict.fromkeys(self.new_cases, Effect.NEW),
        }

    @property
    def rest(self) -> Effect:
        """Of the cases that are only counted."""
        return Effect.AS_BEFORE if self.as_before else Effect.NEW

    @property
    def counts(self) -> dict[Effect, int]:
        return {
            Effect.WORSE: len(self.worse),
            Effect.BETTER: len(self.better),
            Effect.ERROR: len(self.errors),
            Effect.CALLS_DIFFER: len(self.calls_differ),
            Effect.AS_BEFORE: self.as_before,
            Effect.NEW: self.new,
        }

    def is_like(self, other: "RunChanges") -> bool:
        """Whether both come to the same figures."""
        mine, its = ((one.counts, one.muted, one.new_failed, one.at_times) for one in (self, other))
        return mine == its


class GoesOn(Struct, frozen=True):
    """That a run is the same save's as runs before it, and what those and it came to together:
    each case counts once, as in the header."""

    number: int
    """Of the run just before; of the first that was interrupted, where it is resumed."""
    again: int
    """Cases that ran in one of those already."""
    ran: int
    rejudged: int
    effects: Mapping[Effect, int]
    is_resumed: bool = False
    """A command goes on with one that was interrupted: there may be others in between."""


def effect_of(
    before: CaseResult | None,
    now: CaseResult,
    baseline: BaselineCase | None = None,
    *,
    last_verdict: CaseStatus | None = None,
) -> Effect:
    """Against the result just before; where that is an error, which is no verdict, against
    `last_verdict`, the one before it; where there is none either, against the baseline.

    One trial and twenty are not held against each other by whether all passed: a case that passes
    as a rule seldom passes twenty times.
    """
    if now.status is CaseStatus.ERROR:
        return Effect.ERROR
    if baseline is not None and baseline.by_other_rules:
        baseline = None
    is_passed = _is_passed(now)
    was_error = before is not None and before.status is CaseStatus.ERROR
    if before is not None and not was_error:
        then, is_passed = _held_for_passed(before, now)
    elif last_verdict is not None:
        then = _verdict(last_verdict)
    else:
        then = _verdict(baseline.usual) if baseline is not None else None
    if then is not is_passed:
        if then is None or is_passed is None:
            return Effect.NEW
        return Effect.BETTER if is_passed else Effect.WORSE
    if was_error:
        return Effect.NEW if then is None else Effect.AS_BEFORE
    if before is None:
        return Effect.NEW if baseline is None else Effect.AS_BEFORE
    verdict = None if then is None else CaseStatus.PASSED if then else CaseStatus.FAILED
    return Effect.CALLS_DIFFER if have_other_calls(before, now, verdict) else Effect.AS_BEFORE


def is_same(result: CaseResult, other: CaseResult | None) -> bool:
    """Whether a case came to the same twice: the verdict and the calls."""
    if other is None or result.shown_status is not other.shown_status:
        return False
    return effect_of(result, other) in (Effect.AS_BEFORE, Effect.ERROR)


def at_times(before: CaseResult | None, now: CaseResult | None) -> AtTimes:
    """Of one case, and of the two results that are held against each other."""
    if before is None or now is None or before.trials == now.trials:
        return NEVER
    then, since = _held_for_passed(before, now)
    is_other = then is not _is_passed(before), since is not _is_passed(now)
    return AtTimes(*map(int, is_other)) if any(is_other) else NEVER


def _held_for_passed(before: CaseResult, now: CaseResult) -> tuple[bool | None, bool | None]:
    """Each against the other; `None` where nothing was held against its answer."""
    then, since = _is_passed(before), _is_passed(now)
    if before.trials == now.trials or then is None or since is None:
        return then, since
    then = _verdict(before.usual)
    if then and differ_in_effort_only(before.inputs, now.inputs):
        since = _verdict(now.usual)
    return then, since


def last_verdict(recent: Sequence[CaseStatus]) -> CaseStatus | None:
    """The last of these, oldest first, that says whether a case passed."""
    for status in reversed(recent):  # of nearly every case the first that is looked at
        if _verdict(status) is not None:
            return status
    return None


def is_explained_by_calls(result: CaseResult, effect: Effect | None) -> bool:
    """Whether its calls say why it is as it is."""
    return result.status is CaseStatus.FAILED or effect in EXPLAINED_BY_PREVIOUS_CALLS


def _is_passed(result: CaseResult) -> bool | None:
    """`None` when nothing was held against the answer."""
    return _verdict(result.shown_status)


def _verdict(status: CaseStatus) -> bool | None:
    if status is CaseStatus.PASSED:
        return True
    return False if status is CaseStatus.FAILED else None
