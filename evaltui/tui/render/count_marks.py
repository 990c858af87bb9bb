"""Which mark each count has: header, suites and tools show the same ones."""

from evaltui.store.counts import Counts
from evaltui.tui.render import glyphs
from evaltui.tui.render.glyphs import Mark


def count_marks(counts: Counts) -> dict[Mark, int]:
    """Numbers by mark, what wants attention first; zeroes are among them.

    Failed, error, passed, skipped and not run add up to all cases. Regressed ones are among the
    failed, flaky ones among the passed, stale ones among any.
    """
    return {
        glyphs.FAILED: counts.failed,
        glyphs.ERROR: counts.errors,
        glyphs.REGRESSED: counts.regressed,
        glyphs.FLAKY: counts.flaky,
        glyphs.STALE: counts.stale,
        glyphs.PASSED: counts.passed,
        glyphs.SKIPPED: counts.skipped,
        glyphs.UNKNOWN: counts.not_run,
    }
