"""The counts of a board and its suites: kept as rows change, before anybody is told of that."""

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from evaltui.core.case import CaseKey
from evaltui.core.result import CaseStatus
from evaltui.store.counts import UNMARKED, Counted, Counts
from evaltui.store.row import Row
from evaltui.store.row_status import COUNTS_AS, RANK, RowStatus


class BoardCounts(Struct):
    """The counts of one board and of each of its suites.

    Rows change one by one and mostly alike, so they are added up when somebody reads the counts.
    """

    _all: Counts = field(default_factory=Counts)
    _suites: dict[str, Counts] = field(default_factory=dict)
    _counted: dict[CaseKey, Counted] = field(default_factory=dict)
    _open: dict[str, dict[Counted, int]] = field(default_factory=dict)
    """By suite, how many more or fewer there are than was added up."""
    _unlisted: dict[str, dict[RowStatus, int]] = field(default_factory=dict)
    _versions: dict[str, int] = field(default_factory=dict)
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

    def of(self, suite: str) -> Counts:
        """Of one suite; nothing but zeroes when it has no cases."""
        return self.suites.get(suite) or Counts()

    def of_keys(self, keys: Iterable[CaseKey]) -> Counts:
        """Of these cases, as they count now; those that have no row are left out."""
        found = Counter(map(self._counted.get, keys))
        counts = Counts()
        for counted, times in found.items():
            if counted is not None:
                counts.add(counted, times)
        return counts

    def unlisted(self, suite: str) -> Mapping[RowStatus, int]:
        """By status, how many cases of a suite are known by their number only."""
        return self._unlisted.get(suite, {})

    def version(self, suite: str) -> int:
        """Another one once anything in the suite counts otherwise."""
        return self._versions.get(suite, 0)

    def update(self, row: Row) -> None:
        """Count a row that came or changed."""
        key = row.key
        now, before = Counted.of(row, row.compared), self._counted.get(key)
        if now is before:
            return
        found = self._opened(key.suite)
        if before is not None:
            found[before] = found.get(before, 0) - 1
        found[now] = found.get(now, 0) + 1
        self._counted[key] = now
        row.rank = RANK[now.attention]

    def remove(self, key: CaseKey) -> None:
        """Count a row no longer."""
        self._add(key.suite, self._counted.pop(key), -1)

    def add_unlisted(self, suite: str, numbers: Mapping[CaseStatus, int]) -> None:
        """Count cases that are known by their number only, beside those that have a row."""
        found = self._unlisted.setdefault(suite, {})
        for status, number in numbers.items():
            counted = UNMARKED[COUNTS_AS[status]]
            self._add(suite, counted, number)
            found[counted.status] = found.get(counted.status, 0) + number

    def take_moved(self) -> set[str]:
        """Suites whose counts changed since this was last asked."""
        moved, self._moved = self._moved, set()
        return moved

    def _add(self, suite: str, counted: Counted, times: int) -> None:
        found = self._opened(suite)
        found[counted] = found.get(counted, 0) + times

    def _opened(self, suite: str) -> dict[Counted, int]:
        """What is to be added up of a suite in which something counts otherwise from now on."""
        self._moved.add(suite)
        self._versions[suite] = self._versions.get(suite, 0) + 1
        found = self._open.get(suite)
        if found is None:
            found = self._open[suite] = {}
        return found

    def _add_up(self) -> None:
        for suite, found in self._open.items():
            counts = self._suites.setdefault(suite, Counts())
            for counted, times in found.items():
                if times:
                    counts.add(counted, times)
                    self._all.add(counted, times)
            if not counts.total:
                del self._suites[suite]
        self._open.clear()
