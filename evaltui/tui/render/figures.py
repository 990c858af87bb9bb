"""How cases stand, in figures: one sum for header, suites and tools, so that they agree."""

from collections.abc import Mapping

from evaltui.store.row import RowStatus
from evaltui.tui.render import glyphs
from evaltui.tui.render.glyphs import Mark


def figures(counts: Mapping[RowStatus, int], stale: int) -> dict[Mark, int]:
    """Numbers by mark, what wants attention first; zeroes are among them.

    Failed, error, passed, skipped and not run add up to all cases. Regressed ones are among the
    failed, flaky ones among the passed, stale ones among any.
    """
    regressed, flaky = counts.get(RowStatus.REGRESSED, 0), counts.get(RowStatus.FLAKY, 0)
    passed = counts.get(RowStatus.PASSED, 0) + counts.get(RowStatus.STALE, 0) + flaky
    return {
        glyphs.FAILED: counts.get(RowStatus.FAILED, 0) + regressed,
        glyphs.ERROR: counts.get(RowStatus.ERROR, 0),
        glyphs.REGRESSED: regressed,
        glyphs.FLAKY: flaky,
        glyphs.STALE: stale,
        glyphs.PASSED: passed,
        glyphs.SKIPPED: counts.get(RowStatus.SKIPPED, 0),
        glyphs.UNKNOWN: counts.get(RowStatus.UNKNOWN, 0),
    }
