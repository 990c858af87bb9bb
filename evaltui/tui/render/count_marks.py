"""Which mark each count has: header, suites and tools show the same ones."""

from evaltui.store.counts import Counts
from evaltui.store.row_status import RowStatus
from evaltui.tui.render import glyphs
from evaltui.tui.render.glyphs import Mark


def count_marks(counts: Counts) -> dict[Mark, int]:
    """How many cases count as what, zeroes among them; they add up to all cases."""
    return {glyphs.ROW_STATUS[status]: counts.by_status[status] for status in _IN_ORDER}


def side_marks(counts: Counts) -> dict[Mark, int]:
    """How many cases have which mark besides; only marks that some have."""
    return {
        mark: counts.by_mark[kind] for kind, mark in glyphs.ROW_MARK.items() if counts.by_mark[kind]
    }


_IN_ORDER = (
    RowStatus.PASSED,
    RowStatus.FAILED,
    RowStatus.ERROR,
    RowStatus.NOTHING_ASSERTED,
    RowStatus.NOT_RUN,
    RowStatus.MUTED,
)
