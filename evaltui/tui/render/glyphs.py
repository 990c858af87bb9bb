"""A glyph, a word and a theme variable for everything that has a state."""

from collections.abc import Mapping

from msgspec import Struct

from evaltui.core.errors import Severity
from evaltui.core.result import CaseStatus
from evaltui.core.verdict import VerdictStatus
from evaltui.store.row import Phase, RowStatus


class Mark(Struct, frozen=True):
    """One state, shown by glyph and word and never by colour alone. Glyphs are one cell wide."""

    glyph: str
    plain: str
    """The glyph where only ASCII may be printed."""
    word: str
    variable: str
    """Name of the theme variable, without `$`."""

    def symbol(self, is_ascii: bool) -> str:
        return self.plain if is_ascii else self.glyph


PASSED = Mark("✓", "+", "passed", "case-passed")
FAILED = Mark("✗", "x", "failed", "case-failed")
ERROR = Mark("!", "!", "error", "case-error")
SKIPPED = Mark("○", "-", "skipped", "case-skipped")
REGRESSED = Mark("↓", "v", "regressed", "case-regressed")
NEWLY_PASSED = Mark("↑", "^", "newly passed", "case-passed")
STALE = Mark("⚠", "*", "stale", "case-stale")
FLAKY = Mark("≈", "~", "flaky", "case-flaky")
UNKNOWN = Mark("·", ".", "not run", "case-unknown")
QUEUED = Mark("◌", ":", "queued", "case-queued")
RUNNING = Mark("▶", ">", "running", "case-running")
PINNED = Mark("▪", "=", "pinned", "quiet")
MUTED = Mark("⊘", "m", "muted", "quiet")

ROW_STATUS: Mapping[RowStatus, Mark] = {
    RowStatus.REGRESSED: REGRESSED,
    RowStatus.FAILED: FAILED,
    RowStatus.ERROR: ERROR,
    RowStatus.STALE: STALE,
    RowStatus.FLAKY: FLAKY,
    RowStatus.PASSED: PASSED,
    RowStatus.SKIPPED: SKIPPED,
    RowStatus.UNKNOWN: UNKNOWN,
}
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
    separator: str
    vertical: str
    horizontal: str
    chosen: str
    """In front of a row of a multiple selection."""
    crumb: str


UNICODE = Symbols("…", "→", "●", "▸", "▾", "▕", "█", "░", "▏", "×", "≥", "·", "│", "─", "▌", "›")
ASCII = Symbols("~", "->", "*", ">", "v", "[", "#", "-", "]", "x", ">=", "-", "|", "-", ">", ">")


def symbols(is_ascii: bool) -> Symbols:
    return ASCII if is_ascii else UNICODE
