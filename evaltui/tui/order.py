"""Which lines the cases pane has, and in what order."""

from collections.abc import Collection
from typing import TypeAlias

from evaltui.core.case import CaseKey
from evaltui.core.suite import Suite
from evaltui.store.board import Board
from evaltui.store.row import Row, RowStatus
from evaltui.tui.filter import Filter
from evaltui.tui.view import View

Line: TypeAlias = Row | Suite
"""A case, or the heading of a suite."""

RANK = {status: rank for rank, status in enumerate(RowStatus)}


def arrange(
    board: Board,
    *,
    suite: str = "",
    view: View = View.ALL,
    differing: Collection[CaseKey] = (),
    narrowed: Filter | None = None,
    is_grouped: bool = False,
    folded: Collection[str] = (),
) -> list[Line]:
    """Worst first, file order among equals; grouped: the same within each suite.

    Suites come in the order of their worst case, then in file order. Of a folded suite there is
    only its heading.
    """
    rows = [row for row in board.rows.values() if not suite or row.key.suite == suite]
    if view is not View.ALL:
        rows = [row for row in rows if view.shows(row, differing)]
    if narrowed is not None and narrowed.tests:
        rows = [row for row in rows if narrowed.matches(row)]
    rows.sort(key=lambda row: RANK[board.counts.status(row.key)])
    if not is_grouped:
        return [*rows]
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.key.suite, []).append(row)
    lines: list[Line] = []
    for name, members in groups.items():
        lines.append(members[0].suite)
        if name not in folded:
            lines += members
    return lines
