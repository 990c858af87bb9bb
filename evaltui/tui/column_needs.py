"""How wide the columns must be for the content of the rows."""

from collections.abc import Sequence
from operator import attrgetter

from evaltui.core.suite import Suite
from evaltui.store.board import Board
from evaltui.store.row import Row
from evaltui.tui.render.case_columns import Needs
from evaltui.tui.render.clip import width_of

_RECENT = attrgetter("recent")


class ColumnNeeds:
    """Where every case of a board has a line, the ids of a suite are measured once for each reading
    of it."""

    def __init__(self) -> None:
        self._widths: dict[str, tuple[Suite, int]] = {}

    def of(self, rows: Sequence[Row], board: Board, *, is_suite_shown: bool) -> Needs:
        """Of these rows of the board; `is_suite_shown`: a heading says of which suite they are."""
        if len(rows) == len(board.rows) and board.suites:
            suites = [suite for suite in board.suites if suite.cases]
            widest = max(map(self._width, suites), default=0)
        else:
            suites = [*{id(row.suite): row.suite for row in rows}.values()]
            widest = max((width_of(row.key.case) for row in rows), default=0)
        longest = max(map(len, map(_RECENT, rows)), default=0)
        return Needs(
            widest,
            0 if is_suite_shown else max((width_of(one.short_name) for one in suites), default=0),
            longest if longest > 1 else 0,
        )

    def _width(self, suite: Suite) -> int:
        known = self._widths.get(suite.id)
        if known is None or known[0] is not suite:
            width = max((width_of(case.id) for case in suite.cases), default=0)
            known = self._widths[suite.id] = suite, width
        return known[1]
