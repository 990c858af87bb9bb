"""How the history writes a status: one letter for each."""

from evaltui.core.result import CaseStatus

LETTERS = {
    CaseStatus.PASSED: "P",
    CaseStatus.FAILED: "F",
    CaseStatus.ERROR: "E",
    CaseStatus.SKIPPED: "S",
}
STATUSES = {letter: status for status, letter in LETTERS.items()}
