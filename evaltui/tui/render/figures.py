"""How cases stand, in figures: one sum for header, suites and tools, so that they agree."""

from collections.abc import Mapping

from evaltui.store.row import Standing
from evaltui.tui.render import glyphs
from evaltui.tui.render.glyphs import Mark


def figures(counts: Mapping[Standing, int], stale: int) -> dict[Mark, int]:
    """Numbers by mark, what wants attention first; zeroes are among them.

    Failed, error, passed, skipped and not run add up to all cases. Regressed ones are among the
    failed, flaky ones among the passed, stale ones among any.
    """
    regressed, flaky = counts.get(Standing.REGRESSED, 0), counts.get(Standing.FLAKY, 0)
    passed = counts.get(Standing.PASSED, 0) + counts.get(Standing.STALE, 0) + flaky
    return {
        glyphs.FAILED: counts.get(Standing.FAILED, 0) + regressed,
        glyphs.ERROR: counts.get(Standing.ERROR, 0),
        glyphs.REGRESSED: regressed,
        glyphs.FLAKY: flaky,
        glyphs.STALE: stale,
        glyphs.PASSED: passed,
        glyphs.SKIPPED: counts.get(Standing.SKIPPED, 0),
        glyphs.UNKNOWN: counts.get(Standing.UNKNOWN, 0),
    }
