"""The counts of a board and its suites: kept as rows change, before anybody is told of that."""

from collections.abc import Mapping

from msgspec import Struct, field

from evaltui.core.case import CaseKey
from evaltui.core.result import CaseStatus
from evaltui.store.counts import UNMARKED, Counted, Counts
from evaltui.store.row import Row
from evaltui.store.row_status import COUNTS_AS, FIRST_RANK_OF_OTHERS, RANK


class BoardCounts(Struct):
    """The counts of one board and of each of its suites.

    Rows change one by one and mostly alike, so they are added up when somebody reads the counts.
    """

    _all: Counts = field(default_factory=Counts)
    _suites: dict[str, Counts] = field(default_factory=dict)
    _failing: dict[str, Counts] = field(default_factory=dict)
    _counted: dict[CaseKey, Counted] = field(default_factory=dict)
    _open: dict[str, dict[Counted, int]] = field(default_factory=dict)
    """By suite, how many more or fewer there are than was added up."""
    _moved: set[str] = field(default_factory=set)

    @property
    def all(self) -> Counts:
        self._add_up()
        return self._all

    @property
    def suites(self) -> Mapping[str, Counts]:
        """By suite id; only suites that have cases."""
        self._add_up()
        return self._suites

    @property
    def failing(self) -> Mapping[str, Counts]:
        """By suite id, of its cases that want attention since they fail; only where some do."""
        self._add_up()
        return self._failing

    def of_part(self, suite: str, *, is_failing: bool) -> Counts:
        """Of the cases of a suite that want attention since they fail, or of its others."""
        failing = self.failing.get(suite) or Counts()
        return failing if is_failing else self.of(suite).without(failing)

    def of(self, suite: str) -> Counts:
        """Of one suite; nothing but zeroes when it has no cases."""
        return self.suites.get(suite) or Counts()

    def update(self, row: Row) -> None:
        """Count a row that came or changed."""
        now, before = Counted.of(row, row.compared), self._counted.get(row.key)
        if now is before:
            return
        if before is not None:
            self._add(row.key.suite, before, -1)
        self._add(row.key.suite, now, 1)
        self._counted[row.key] = now
        row.rank = RANK[now.attention]

    def remove(self, key: CaseKey) -> None:
        """Count a row no longer."""
        self._add(key.suite, self._counted.pop(key), -1)

    def add_unlisted(self, suite: str, numbers: Mapping[CaseStatus, int]) -> None:
        """Count cases that are known by their number only, beside those that have a row."""
        for status, number in numbers.items():
            self._add(suite, UNMARKED[COUNTS_AS[status]], number)

    def take_moved(self) -> set[str]:
        """Suites whose counts changed since this was last asked."""
        moved, self._moved = self._moved, set()
        return moved

    def _add(self, suite: str, counted: Counted, times: int) -> None:
        found = self._open.get(suite)
        if found is None:
            found = self._open[suite] = {}
        found[counted] = found.get(counted, 0) + times
        self._moved.add(suite)

    def _add_up(self) -> None:
        for suite, found in self._open.items():
            counts = self._suites.setdefault(suite, Counts())
            failing = self._failing.get(suite)
            for counted, times in found.items():
                if times:
                    counts.add(counted, times)
                    self._all.add(counted, times)
                    if RANK[counted.attention] < FIRST_RANK_OF_OTHERS:
                        failing = failing or self._failing.setdefault(suite, Counts())
                        failing.add(counted, times)
            if not counts.total:
                del self._suites[suite]
            if failing is not None and not failing.total:
                del self._failing[suite]
        self._open.clear()
