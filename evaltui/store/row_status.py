"""What a case counts as, what is to be known of it besides, and what it wants attention for."""

from collections.abc import Collection
from enum import StrEnum
from functools import cache

from evaltui.core.comparison import Effect
from evaltui.core.result import FAILING, CaseResult, CaseStatus


class RowStatus(StrEnum):
    """What a case counts as: the first of these that fits. Their numbers add up to the cases."""

    MUTED = "muted"
    """Its failures do not count at present, whatever it came to."""
    NOT_RUN = "not run"
    ERROR = "error"
    FAILED = "failed"
    NOTHING_ASSERTED = "nothing asserted"
    """It was skipped, or nothing was held against the answer: its pass says nothing."""
    PASSED = "passed"


class RowMark(StrEnum):
    """What is to be known of a case besides; any number of them, counted apart."""

    REGRESSED = "regressed"
    """It passed in the baseline and fails now, with an agent that always answers alike, or its
    trials prove that it passes less often."""
    MOVED = "moved"
    """The same with an agent that may answer otherwise the next time: no proof of anything."""
    IMPROVED = "improved"
    """The other way round, with an agent that always answers alike, or proven."""
    MOVED_UP = "moved up"
    """It did not pass in the baseline and does now: no proof of anything."""
    DUE = "due"
    """What its result depends on changed since: `R` runs it."""
    OUTDATED = "outdated"
    """Its suite was written for another description, version or registry: `u` settles it."""
    FLAKY = "flaky"
    """Both outcomes under the same inputs."""


class Attention(StrEnum):
    """What a case wants attention for, worst first: the order of the board."""

    PROVEN = "proven"
    """Worse beyond doubt, with an agent that may answer otherwise the next time: what is worse in
    the last save may be chance beside it."""
    WORSE = "worse"
    """In the last save."""
    REGRESSED = "regressed"
    MOVED = "moved"
    FAILED = "failed"
    ERROR = "error"
    DUE = "due"
    FLAKY = "flaky"
    PASSED = "passed"
    NOTHING_ASSERTED = "nothing asserted"
    NOT_RUN = "not run"
    MUTED = "muted"


RANK = {attention: rank for rank, attention in enumerate(Attention)}
FIRST_RANK_OF_OTHERS = RANK[Attention.ERROR] + 1
"""From here on nothing fails: before it stands what failed, had an error, or is proven to be worse
and passed this time."""


def counts_as(result: CaseResult | None, *, is_muted: bool) -> RowStatus:
    """What a case with this last result counts as, on the board and in every report."""
    if is_muted:
        return RowStatus.MUTED
    if result is None:
        return RowStatus.NOT_RUN
    if result.is_nothing_asserted:
        return RowStatus.NOTHING_ASSERTED
    return COUNTS_AS[result.status]


@cache
def marks_of(
    against: RowMark | None, is_due: bool, is_outdated: bool, is_flaky: bool
) -> tuple[RowMark, ...]:
    """In the order in which they are declared; `against`: how the case stands against its
    baseline."""
    marks = [] if against is None else [against]
    marks += [RowMark.DUE] * is_due + [RowMark.OUTDATED] * is_outdated + [RowMark.FLAKY] * is_flaky
    return tuple(marks)


@cache
def standing_of(
    status: RowStatus, marks: tuple[RowMark, ...], effect: Effect | None, is_proven: bool
) -> tuple[RowStatus, Attention, tuple[RowMark, ...]]:
    """Status, attention and marks: few are different, and each row is asked when it changes."""
    return status, attention_of(status, marks, effect, is_proven=is_proven), marks


def attention_of(
    status: RowStatus, marks: Collection[RowMark], effect: Effect | None, *, is_proven: bool
) -> Attention:
    """`effect` is what the last save made of the case, and counts; `is_proven` whether trials prove
    it to be worse."""
    if status in _JUDGED and is_proven:  # one that passed this time is as bad as before
        return Attention.PROVEN
    if status is RowStatus.FAILED:
        if effect is Effect.WORSE:
            return Attention.WORSE
        if RowMark.REGRESSED in marks:
            return Attention.REGRESSED
        return Attention.MOVED if RowMark.MOVED in marks else Attention.FAILED
    if status is RowStatus.PASSED:
        if RowMark.DUE in marks:
            return Attention.DUE
        return Attention.FLAKY if RowMark.FLAKY in marks else Attention.PASSED
    return _WANTS[status]


COUNTS_AS = {
    CaseStatus.PASSED: RowStatus.PASSED,
    CaseStatus.FAILED: RowStatus.FAILED,
    CaseStatus.ERROR: RowStatus.ERROR,
    CaseStatus.SKIPPED: RowStatus.NOTHING_ASSERTED,
}
"""Where there is a result that asserted something, and nothing is muted."""
FAILING_STATUSES = frozenset(COUNTS_AS[status] for status in FAILING)
_JUDGED = frozenset({RowStatus.FAILED, RowStatus.PASSED})
_WANTS = {
    RowStatus.ERROR: Attention.ERROR,
    RowStatus.NOTHING_ASSERTED: Attention.NOTHING_ASSERTED,
    RowStatus.NOT_RUN: Attention.NOT_RUN,
    RowStatus.MUTED: Attention.MUTED,
}
