"""The figures of the headings of suites: those of the rows below each, whatever these are now."""

from collections.abc import Sequence

from evaltui.store.board import Board
from evaltui.store.board_counts import BoardCounts
from evaltui.store.counts import UNMARKED, Counts
from evaltui.store.row_status import FAILING_STATUSES
from evaltui.tui.arrangement import Arrangement
from evaltui.tui.order import Line
from evaltui.tui.suite_parts import SuitePart


class HeadingCounts:
    """Counts the rows of a heading again only when something of its suite counts otherwise: it is
    drawn far more often, and while a run is on with every frame."""

    def __init__(self, arrangement: Arrangement) -> None:
        self._arrangement = arrangement
        self._lines: Sequence[Line] = ()
        """To which what is known belongs."""
        self._known: dict[tuple[str, str], tuple[BoardCounts, int, Counts]] = {}
        """By heading and agent, with what it was read from."""

    def of(self, part: SuitePart, board: Board) -> Counts:
        """Of the rows below a heading, as one agent has them."""
        if self._lines is not self._arrangement.lines:
            self._lines = self._arrangement.lines
            self._known.clear()
        counts, name = board.counts, (part.id, board.agent)
        version = counts.version(part.suite.id)
        known = self._known.get(name)
        if known is None or known[0] is not counts or known[1] != version:
            known = self._known[name] = (counts, version, self._count(part, board))
        return known[2]

    def _count(self, part: SuitePart, board: Board) -> Counts:
        """Of a board that is read yet, those are among them whose rows are still to come."""
        counts, arrangement = board.counts.of_keys(part.keys), self._arrangement
        if board.is_cached and not arrangement.is_narrowed:
            for status, number in board.counts.unlisted(part.suite.id).items():
                if not arrangement.is_parted or (status in FAILING_STATUSES) is part.is_failing:
                    counts.add(UNMARKED[status], number)
        return counts
