"""The marks of one row: what it counts as, and what else is to be seen at a glance."""

from evaltui.store.row import Phase, Row
from evaltui.store.row_status import RowMark
from evaltui.tui.render import glyphs
from evaltui.tui.render.glyphs import Mark

_BESIDE = (
    *(RowMark.REGRESSED, RowMark.MOVED, RowMark.IMPROVED, RowMark.MOVED_UP),
    RowMark.FLAKY,
)
"""Due has a cell of its own; outdated is a word at the end of the row."""


def status_mark(row: Row) -> Mark:
    return glyphs.ROW_STATUS[row.status]


def lead_mark(row: Row) -> Mark | None:
    """What is being done with the case at this moment, else whether it is pinned."""
    if row.phase is not Phase.IDLE:
        return glyphs.PHASE[row.phase]
    return glyphs.PINNED if row.baseline is not None else None


def due_mark(row: Row) -> Mark | None:
    """That the result is not in force any more, unless the case is seen to already."""
    return glyphs.DUE if row.is_due and row.phase is Phase.IDLE else None


def side_mark(row: Row) -> Mark | None:
    """The most important one that stands beside the status."""
    marks = row.marks
    return next((glyphs.ROW_MARK[mark] for mark in _BESIDE if mark in marks), None)
