"""A glyph, a word and a theme variable for everything that has a state."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from evaltui.core.comparison import Effect
from evaltui.core.errors import Severity
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.verdict import VerdictStatus
from evaltui.store.row import Phase
from evaltui.store.row_status import Attention, RowMark, RowStatus

if TYPE_CHECKING:
    from evaltui.core.baseline import BaselineCase
    from evaltui.disk.history.history_queries import HistoryEntry


class Mark(Struct, frozen=True):
    """One state, shown by glyph and word and never by colour alone. Glyphs are one cell wide."""

    glyph: str
    plain: str
    """The glyph where only ASCII may be printed."""
    word: str
    variable: str
    """Name of the theme variable, without `$`."""
    meaning: str = ""
    """For the legend, where the word does not say it all."""

    def symbol(self, is_ascii: bool) -> str:
        return self.plain if is_ascii else self.glyph


PASSED = Mark("✓", "p", "passed", "case-passed")
FAILED = Mark("✗", "x", "failed", "case-failed")
ERROR = Mark("!", "!", "error", "case-error", "the agent could not be judged")
SKIPPED = Mark("○", "o", "skipped", "case-skipped")
NOTHING_ASSERTED = Mark(
    "○",
    "o",
    "nothing asserted",
    "case-skipped",
    "it was skipped, or nothing was checked",
)
REGRESSED = Mark("↓", "v", "regressed", "case-regressed", "passed in the baseline, fails now")
MOVED = Mark(
    "↓?",
    "v?",
    "moved",
    "case-stale",
    "the same, but the agent's answers vary: no proof",
)
IMPROVED = Mark("↑", "^", "improved", "case-passed", "did not pass in the baseline, passes now")
MOVED_UP = Mark("↑?", "^?", "moved up", "case-passed", "the same, but no proof either")
DUE = Mark("◷", "@", "due", "case-stale", "what the result depends on has changed; `R` runs it")
OUTDATED = Mark(
    "⚠",
    "*",
    "outdated",
    "severity-warning",
    "the suite was written for another description of its tool; `u` settles it",
)
OTHER_DECISION = Mark("⚠", "*", "about another comparison", "severity-warning")
"""Of a gate's decision."""
FLAKY = Mark("≈", "~", "flaky", "case-flaky", "passes only sometimes with the same inputs")
UNKNOWN = Mark("·", ".", "not run", "case-unknown")
QUEUED = Mark("◌", ":", "queued", "case-queued")
RUNNING = Mark("▶", ">", "running", "case-running")
PINNED = Mark("▪", "#", "pinned", "quiet", "in the baseline")
MUTED = Mark("⊘", "m", "muted", "quiet", "its failures do not count")

OF_A_CASE = (
    *(PASSED, FAILED, ERROR, NOTHING_ASSERTED, REGRESSED, MOVED, IMPROVED),
    *(MOVED_UP, DUE, OUTDATED, FLAKY, UNKNOWN, QUEUED, RUNNING, PINNED, MUTED),
)
"""Every mark that a row of the cases can have."""
ROW_STATUS: Mapping[RowStatus, Mark] = {
    RowStatus.MUTED: MUTED,
    RowStatus.NOT_RUN: UNKNOWN,
    RowStatus.ERROR: ERROR,
    RowStatus.FAILED: FAILED,
    RowStatus.NOTHING_ASSERTED: NOTHING_ASSERTED,
    RowStatus.PASSED: PASSED,
}
ATTENTION: Mapping[Attention, Mark] = {
    Attention.PROVEN: FAILED,
    Attention.WORSE: FAILED,
    Attention.REGRESSED: FAILED,
    Attention.MOVED: FAILED,
    Attention.FAILED: FAILED,
    Attention.ERROR: ERROR,
    Attention.DUE: PASSED,
    Attention.FLAKY: PASSED,
    Attention.PASSED: PASSED,
    Attention.NOTHING_ASSERTED: NOTHING_ASSERTED,
    Attention.NOT_RUN: UNKNOWN,
    Attention.MUTED: MUTED,
}
"""One cell for a suite: what its worst case counts as. Marks stand behind it as numbers: a glyph
that told them too would change with the next save, though nothing in the suite did."""
EFFECT: Mapping[Effect, str] = {
    Effect.WORSE: "case-regressed",
    Effect.BETTER: "case-passed",
    Effect.ERROR: "case-error",
    Effect.CALLS_DIFFER: "case-stale",
    Effect.AS_BEFORE: "quiet",
    Effect.NEW: "quiet",
}
"""The theme variable that an effect is written in."""
ROW_MARK: Mapping[RowMark, Mark] = {
    RowMark.REGRESSED: REGRESSED,
    RowMark.MOVED: MOVED,
    RowMark.IMPROVED: IMPROVED,
    RowMark.MOVED_UP: MOVED_UP,
    RowMark.FLAKY: FLAKY,
    RowMark.DUE: DUE,
    RowMark.OUTDATED: OUTDATED,
}
"""In the order of their importance."""
PHASE: Mapping[Phase, Mark] = {
    Phase.IDLE: UNKNOWN,
    Phase.QUEUED: QUEUED,
    Phase.RUNNING: RUNNING,
}
STATUS: Mapping[CaseStatus, Mark] = {
    CaseStatus.PASSED: PASSED,
    CaseStatus.FAILED: FAILED,
    CaseStatus.ERROR: ERROR,
    CaseStatus.SKIPPED: SKIPPED,
}


def result_mark(result: "CaseResult | HistoryEntry") -> Mark:
    """What it came to, whether or not the case is muted: a pass of nothing is none."""
    is_idle = result.status is CaseStatus.PASSED and result.is_nothing_asserted
    return NOTHING_ASSERTED if is_idle else STATUS[result.status]


def baseline_mark(case: "BaselineCase") -> Mark:
    return NOTHING_ASSERTED if case.status is CaseStatus.SKIPPED else STATUS[case.status]


VERDICT: Mapping[VerdictStatus, Mark] = {
    VerdictStatus.PASSED: PASSED,
    VerdictStatus.FAILED: FAILED,
    VerdictStatus.ERROR: ERROR,
    VerdictStatus.SKIPPED: SKIPPED,
}
SEVERITY: Mapping[Severity, Mark] = {
    Severity.ERROR: Mark("✗", "x", "error", "severity-error"),
    Severity.WARNING: Mark("⚠", "*", "warning", "severity-warning"),
    Severity.LINT: Mark("·", ".", "lint", "severity-lint"),
}


class Symbols(Struct, frozen=True):
    """Everything else that is drawn; each is one cell wide unless it says so."""

    cut: str
    """Marks where text was clipped."""
    arrow: str
    """From → to; two cells in ASCII."""
    live: str
    folded: str
    unfolded: str
    bar_left: str
    bar_full: str
    bar_empty: str
    bar_right: str
    times: str
    at_least: str
    """Two cells in ASCII."""
    at_most: str
    """Two cells in ASCII."""
    separator: str
    horizontal: str
    chosen: str
    """In front of a row of a multiple selection."""
    crumb: str
    earlier: str
    """In front of a moment that is past."""


UNICODE = Symbols(
    "…", "→", "●", "▸", "▾", "▕", "█", "░", "▏", "×", "≥", "≤", "·", "─", "▌", "›", "◀"
)
ASCII = Symbols(
    "~", "->", "*", ">", "v", "[", "#", "-", "]", "x", ">=", "<=", "-", "-", ">", ">", "<"
)


def symbols(is_ascii: bool) -> Symbols:
    return ASCII if is_ascii else UNICODE
