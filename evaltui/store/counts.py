"""How many cases passed, failed, had an error …: counted here and nowhere else."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from typing import Any, Self

from msgspec import Struct, field

from evaltui.core.case import CaseKey
from evaltui.core.comparison import NEVER, AtTimes, Effect, RunChanges, at_times
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.suite_result import Summary
from evaltui.store.row import Compared, Row
from evaltui.store.row_status import (
    Attention,
    RowMark,
    RowStatus,
    counts_as,
)

_WORST_FIRST = tuple(Attention)
"""An enumeration takes ten times as long to go through, and every line of a suite does."""
_NO_STATUSES, _NO_MARKS = dict.fromkeys(RowStatus, 0), dict.fromkeys(RowMark, 0)
_NO_EFFECTS, _NO_ATTENTION = dict.fromkeys(Effect, 0), dict.fromkeys(_WORST_FIRST, 0)
"""What every suite begins with: a copy asks no member for its hash, which Python works out."""


class Counts(Struct):
    """Of some cases: each counts once by its status, and once for each of its marks."""

    by_status: dict[RowStatus, int] = field(default_factory=_NO_STATUSES.copy)
    by_mark: dict[RowMark, int] = field(default_factory=_NO_MARKS.copy)
    by_effect: dict[Effect, int] = field(default_factory=_NO_EFFECTS.copy)
    """Of the last save; muted ones are left out."""
    ran: int = 0
    """Cases that ran because of the last save, or key; muted ones are among them."""
    rejudged: int = 0
    """Those of them of which nobody was asked: their kept answers were judged again."""
    new_failed: int = 0
    """Those of `by_effect` that are new and failed."""
    failed_at_times: int = 0
    fail_at_times: int = 0
    """Those of `by_effect` that are `AtTimes`, before and now."""
    _by_attention: dict[Attention, int] = field(default_factory=_NO_ATTENTION.copy)

    @classmethod
    def of(cls, rows: Iterable[Row], *, not_run: int = 0) -> Self:
        """Count these rows, and `not_run` cases that have none."""
        found = Counter(Counted.of(row, row.compared) for row in rows)
        found[UNMARKED[RowStatus.NOT_RUN]] += not_run
        return cls._of(found)

    @classmethod
    def of_run(cls, made: Iterable[tuple[Row, Compared]]) -> Self:
        """Count rows with what a run made of each, muted or not."""
        return cls._of(Counter(Counted.of(row, compared) for row, compared in made))

    @classmethod
    def of_results(cls, results: Iterable[CaseResult], is_muted: Callable[[CaseKey], bool]) -> Self:
        """Count cases of which no more than the result is known, and which are muted: no marks."""
        statuses = (counts_as(one, is_muted=is_muted(one.key)) for one in results)
        return cls._of(Counter(UNMARKED[status] for status in statuses))

    @classmethod
    def of_cases(cls, keys: Collection[CaseKey], rows: Mapping[CaseKey, Row]) -> Self:
        """Count these cases; those that have no row did not run."""
        found = [row for key in keys if (row := rows.get(key)) is not None]
        return cls.of(found, not_run=len(keys) - len(found))

    @classmethod
    def _of(cls, found: Mapping["Counted", int]) -> Self:
        counts = cls()
        for counted, times in found.items():
            counts.add(counted, times)
        return counts

    @property
    def muted(self) -> int:
        return self.by_status[RowStatus.MUTED]

    @property
    def not_run(self) -> int:
        return self.by_status[RowStatus.NOT_RUN]

    @property
    def errors(self) -> int:
        return self.by_status[RowStatus.ERROR]

    @property
    def failed(self) -> int:
        """Regressed ones are among them, errors are not."""
        return self.by_status[RowStatus.FAILED]

    @property
    def nothing_asserted(self) -> int:
        return self.by_status[RowStatus.NOTHING_ASSERTED]

    @property
    def passed(self) -> int:
        """Flaky and due ones are among them."""
        return self.by_status[RowStatus.PASSED]

    @property
    def regressed(self) -> int:
        return self.by_mark[RowMark.REGRESSED]

    @property
    def moved(self) -> int:
        return self.by_mark[RowMark.MOVED]

    @property
    def due(self) -> int:
        return self.by_mark[RowMark.DUE]

    @property
    def outdated(self) -> int:
        return self.by_mark[RowMark.OUTDATED]

    @property
    def flaky(self) -> int:
        return self.by_mark[RowMark.FLAKY]

    @property
    def ran_muted(self) -> int:
        """What the effects lack to add up to those that ran."""
        return self.ran - sum(self.by_effect.values())

    @property
    def at_times(self) -> AtTimes:
        return AtTimes(self.failed_at_times, self.fail_at_times)

    @property
    def judged(self) -> int:
        """Cases that were asked and count: passed, failed or in error."""
        return self.passed + self.failed + self.errors

    @property
    def has_trouble(self) -> bool:
        """Whether a name over these cases is to catch the eye."""
        return bool(self.failed or self.errors)

    @property
    def total(self) -> int:
        return sum(self.by_status.values())

    @property
    def worst(self) -> Attention:
        """That of the case which wants attention first; `NOT_RUN` without cases."""
        for attention in _WORST_FIRST:
            if self._by_attention[attention]:
                return attention
        return Attention.NOT_RUN

    def add(self, counted: "Counted", times: int = 1) -> None:
        self.by_status[counted.status] += times
        self._by_attention[counted.attention] += times
        for mark in counted.marks:
            self.by_mark[mark] += times
        self.ran += times * counted.is_of_save
        self.rejudged += times * counted.is_rejudged
        if counted.effect is not None:
            self.by_effect[counted.effect] += times
            self.new_failed += times * counted.is_new_failed
            self.failed_at_times += times * counted.at_times.before
            self.fail_at_times += times * counted.at_times.now


class Counted(Struct, frozen=True, gc=False, eq=False):
    """What of a row was counted; the same object for all rows of which it is the same."""

    status: RowStatus
    attention: Attention
    marks: tuple[RowMark, ...] = ()
    effect: Effect | None = None
    is_of_save: bool = False
    is_rejudged: bool = False
    is_new_failed: bool = False
    at_times: AtTimes = NEVER

    @staticmethod
    def of(row: Row, compared: Compared) -> "Counted":
        has_run = compared.effect is not None
        if row.muted or not has_run:
            return _counted(*row.standing, None, has_run, row.is_rejudged)
        effect, came_to = compared.effect, compared.came_to
        is_new_failed = effect is Effect.NEW and _is_failed(came_to)
        rarely = at_times(compared.before, came_to)
        return _counted(*row.standing, effect, has_run, row.is_rejudged, is_new_failed, rarely)


def _is_failed(result: CaseResult | None) -> bool:
    return counts_as(result, is_muted=False) is RowStatus.FAILED


@cache
def _counted(*facts: Any) -> Counted:
    return Counted(*facts)


def changes_of(made: Collection[tuple[Row, Compared]]) -> RunChanges:
    """What a run did, from what it made of each case; muted ones do not count."""
    effects = ((row.key, None if row.muted else compared.effect) for row, compared in made)
    counts = Counts.of_run(made)
    muted, failed = counts.ran_muted, counts.new_failed
    return RunChanges.of(effects, muted=muted, new_failed=failed, at_times=counts.at_times)


UNMARKED = {status: _counted(status, Attention(status.value)) for status in RowStatus}
"""Cases of which no more than the status is known."""


def skipped_assertions(cases: Iterable[CaseResult]) -> int:
    return sum(case.assertions_skipped for case in cases)


def summarize(cases: tuple[CaseResult, ...]) -> Summary:
    """Counts over the results of a suite; the duration is their sum (contract A45)."""
    passed = sum(case.status is CaseStatus.PASSED for case in cases)
    skipped = sum(case.status is CaseStatus.SKIPPED for case in cases)
    costs = [cost for case in cases if (cost := case.cost_usd) is not None]
    return Summary(
        total_cases=len(cases),
        passed=passed,
        failed=len(cases) - passed - skipped,
        errored=sum(case.status is CaseStatus.ERROR for case in cases),
        skipped_cases=skipped,
        nothing_asserted=sum(
            case.status is CaseStatus.PASSED and case.is_nothing_asserted for case in cases
        ),
        skipped_assertions=skipped_assertions(cases),
        total_duration_ms=sum(case.duration_ms for case in cases),
        estimated_cost_usd=sum(costs) if costs else None,
    )
