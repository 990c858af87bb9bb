"""The marks of one row: its verdict, and what else is to be seen at a glance."""

from evaltui.store.row import Phase, Row, RowStatus
from evaltui.tui.render import glyphs
from evaltui.tui.render.glyphs import Mark


def status_mark(row: Row) -> Mark:
    """The verdict's glyph; flaky has its own, stale keeps the verdict it had."""
    if row.result is None:
        return glyphs.UNKNOWN
    if row.status is RowStatus.FLAKY:
        return glyphs.FLAKY
    return glyphs.STATUS[row.result.status]


def lead_mark(row: Row) -> Mark | None:
    """What is being done with the case at this moment, else whether it is pinned."""
    if row.phase is not Phase.IDLE:
        return glyphs.PHASE[row.phase]
    return glyphs.PINNED if row.baseline is not None else None


def side_mark(row: Row) -> Mark | None:
    if row.regressed:
        return glyphs.REGRESSED
    if row.is_stale:
        return glyphs.STALE
    if row.newly_passed:
        return glyphs.NEWLY_PASSED
    return glyphs.MUTED if row.result is not None and row.result.muted else None
