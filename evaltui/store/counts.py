"""How many cases passed, failed, had an error …: counted here and nowhere else.

A board keeps its counts as rows change, before anybody is told of the change.
"""

from collections.abc import Iterable, Mapping
from typing import Self

from msgspec import Struct, field

from evaltui.core.case import CaseKey
from evaltui.core.result import CaseResult, CaseStatus, Summary
from evaltui.store.row import Row, RowStatus

_WORST_FIRST = tuple(RowStatus)
"""An enumeration takes ten times as long to go through, and every line of a suite does."""


_ROW_STATUS = {status: RowStatus[status.name] for status in CaseStatus}


class Counts(Struct):
    """Of some cases: each has one status; stale and muted ones are counted besides."""

    by_status: dict[RowStatus, int] = field(default_factory=lambda: dict.fromkeys(RowStatus, 0))
    stale: int = 0
    """Cases of any status whose result cannot be trusted now."""
    muted: int = 0
    """Cases of any status whose failures do not count at present."""

    @classmethod
    def of(cls, rows: Iterable[Row], *, not_run: int = 0) -> Self:
        """Count these rows, and `not_run` cases that have none."""
        counts = cls()
        for row in rows:
            counts.add(_Counted.of(row))
        counts.by_status[RowStatus.UNKNOWN] += not_run
        return counts

    @property
    def regressed(self) -> int:
        return self.by_status[RowStatus.REGRESSED]

    @property
    def failed(self) -> int:
        """Regressed ones are among them, errors are not."""
        return self.by_status[RowStatus.FAILED] + self.regressed

    @property
    def errors(self) -> int:
        return self.by_status[RowStatus.ERROR]

    @property
    def flaky(self) -> int:
        return self.by_status[RowStatus.FLAKY]

    @property
    def passed(self) -> int:
        """Flaky and stale ones are among them."""
        return self.by_status[RowStatus.PASSED] + self.by_status[RowStatus.STALE] + self.flaky

    @property
    def skipped(self) -> int:
        return self.by_status[RowStatus.SKIPPED]

    @property
    def not_run(self) -> int:
        return self.by_status[RowStatus.UNKNOWN]

    @property
    def judged(self) -> int:
        """Cases that were asked: passed, failed or in error."""
        return self.passed + self.failed + self.errors

    @property
    def total(self) -> int:
        return self.judged + self.skipped + self.not_run

    @property
    def worst(self) -> RowStatus:
        """That of the case which wants attention first; `UNKNOWN` without cases."""
        for status in _WORST_FIRST:
            if self.by_status[status]:
                return status
        return RowStatus.UNKNOWN

    def add(self, counted: "_Counted", times: int = 1) -> None:
        self.by_status[counted.status] += times
        self.stale += counted.is_stale * times
        self.muted += counted.is_muted * times


class BoardCounts(Struct):
    """The counts of one board and of each of its suites."""

    all: Counts = field(default_factory=Counts)
    suites: dict[str, Counts] = field(default_factory=dict)
    """By suite id; only suites that have cases."""
    _counted: dict[CaseKey, "_Counted"] = field(default_factory=dict)
    _moved: set[str] = field(default_factory=set)

    def of(self, suite: str) -> Counts:
        """Of one suite; nothing but zeroes when it has no cases."""
        return self.suites.get(suite) or Counts()

    def status(self, key: CaseKey) -> RowStatus:
        """As counted; saves working it out again when sorting. Raises KeyError."""
        return self._counted[key].status

    def update(self, row: Row) -> None:
        """Count a row that came or changed."""
        now, before = _Counted.of(row), self._counted.get(row.key)
        if now == before:
            return
        if before is not None:
            self._add(row.key.suite, before, -1)
        self._add(row.key.suite, now, 1)
        self._counted[row.key] = now

    def remove(self, key: CaseKey) -> None:
        """Count a row no longer."""
        self._add(key.suite, self._counted.pop(key), -1)
        if not self.suites[key.suite].total:
            del self.suites[key.suite]

    def add_unlisted(self, suite: str, numbers: Mapping[CaseStatus, int]) -> None:
        """Count cases that are known by their number only, beside those that have a row."""
        for status, number in numbers.items():
            counted = _Counted(_ROW_STATUS[status], is_stale=False, is_muted=False)
            self._add(suite, counted, number)

    def take_moved(self) -> set[str]:
        """Suites whose counts changed since this was last asked."""
        moved, self._moved = self._moved, set()
        return moved

    def _add(self, suite: str, counted: "_Counted", times: int) -> None:
        counts = self.suites.get(suite)
        if counts is None:
            counts = self.suites[suite] = Counts()
        counts.add(counted, times)
        self.all.add(counted, times)
        self._moved.add(suite)


class _Counted(Struct, frozen=True, gc=False):
    """What of a row was counted."""

    status: RowStatus
    is_stale: bool
    is_muted: bool

    @classmethod
    def of(cls, row: Row) -> Self:
        return cls(row.status, row.is_stale, bool(row.result and row.result.muted))


def summarize(cases: tuple[CaseResult, ...]) -> Summary:
    """Counts over the results of a suite; the duration is their sum (contract A45)."""
    passed = sum(case.status is CaseStatus.PASSED for case in cases)
    skipped = sum(case.status is CaseStatus.SKIPPED for case in cases)
    costs = [
        case.response.usage.cost_usd
        for case in cases
        if case.response and case.response.usage and case.response.usage.cost_usd is not None
    ]
    return Summary(
        total_cases=len(cases),
        passed=passed,
        failed=len(cases) - passed - skipped,
        errored=sum(case.status is CaseStatus.ERROR for case in cases),
        skipped_cases=skipped,
        skipped_assertions=sum(case.assertions_skipped for case in cases),
        total_duration_ms=sum(case.duration_ms for case in cases),
        estimated_cost_usd=sum(costs) if costs else None,
    )
