"""Counts by suite, kept as rows change; the board keeps only those of the whole."""

from collections.abc import Iterable, Iterator

from evaltui.core.case import CaseKey
from evaltui.disk.last_board import LastBoard
from evaltui.store.board import Board
from evaltui.store.row import Row, RowStatus

_WORST_FIRST = tuple(RowStatus)
"""An enumeration takes ten times as long to go through, and every line of a suite does."""


class Tally:
    """Totals of each suite of one board, and the status each row had when last looked at."""

    def __init__(self) -> None:
        self.counts: dict[str, dict[RowStatus, int]] = {}
        """By suite; those that a recalled board left out stand together under no name."""
        self.stale: dict[str, int] = {}
        self._seen: dict[CaseKey, tuple[RowStatus, bool]] = {}

    def rebuild(self, board: Board) -> None:
        """Count everything again: another project, another agent."""
        self.counts, self.stale, self._seen = {}, {}, {}
        for row in board.rows.values():
            self._add(row)

    def show_cached(self, last: LastBoard) -> None:
        """Take over the totals of the last known board, which has but its first rows and suites."""
        self.counts = {totals.suite.id: dict(totals.counts) for totals in last.suites}
        self.stale = {totals.suite.id: totals.stale for totals in last.suites}
        rest = dict(last.board.counts)
        for counts in self.counts.values():
            for status, number in counts.items():
                rest[status] -= number
        self.counts[""] = rest
        self.stale[""] = last.board.stale_count - sum(self.stale.values())
        rows = last.board.rows
        self._seen = {key: (row.status, row.is_stale) for key, row in rows.items()}

    def update(self, board: Board, keys: Iterable[CaseKey]) -> set[str]:
        """Follow changed rows; returns the suites whose totals moved."""
        moved: set[str] = set()
        for key in keys:
            row = board.rows.get(key)
            before = self._seen.get(key)
            if row is None or before == (row.status, row.is_stale):
                continue
            if before is not None:
                self.counts[key.suite][before[0]] -= 1
                self.stale[key.suite] -= before[1]
            self._add(row)
            moved.add(key.suite)
        return moved

    def status(self, key: CaseKey) -> RowStatus:
        """As counted; saves working it out again when sorting."""
        return self._seen[key][0]

    def worst(self, suite: str) -> RowStatus:
        counts = self.counts.get(suite)
        if counts:
            for status in _WORST_FIRST:
                if counts.get(status):
                    return status
        return RowStatus.UNKNOWN

    def of(self, suite: str = "") -> Iterator[tuple[RowStatus, int]]:
        """Non-zero counts of one suite, or of all when it is empty, worst first."""
        every = (self.counts.get(suite, {}),) if suite else tuple(self.counts.values())
        for status in _WORST_FIRST:
            number = 0
            for counts in every:
                number += counts.get(status, 0)
            if number:
                yield status, number

    def _add(self, row: Row) -> None:
        suite = row.key.suite
        counts = self.counts.get(suite)
        if counts is None:
            counts = self.counts[suite] = dict.fromkeys(RowStatus, 0)
            self.stale[suite] = 0
        status, is_stale = row.status, row.is_stale
        counts[status] += 1
        self.stale[suite] += is_stale
        self._seen[row.key] = (status, is_stale)
