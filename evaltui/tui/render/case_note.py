"""What a reader wants to know next of a case: why it is as it is, in a few words."""

from evaltui.core.comparison import Effect, at_times
from evaltui.core.provenance import how_it_came
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.verdict import TIMEOUT
from evaltui.store.row import Phase, Row
from evaltui.tui.render import glyphs
from evaltui.tui.render.sanitize import one_line

DOWN = "agent down"
"""In place of a reason that the header and the problems pane say once, with the number of cases."""


def note_of(row: Row, difference: str = "", *, down: str | None = None) -> tuple[str, str]:
    """What a reader wants to know next, and the theme variable it is written in.

    `down` stands in place of the reason where the agent is down: empty where a heading says so.
    """
    result = row.result
    if result is None:
        if row.phase is Phase.RUNNING:
            doing = row.live_calls[-1].name if row.live_calls else one_line(row.live_text).strip()
            return f"running: {doing}" if doing else "running", "case-running"
        if row.phase is Phase.QUEUED:
            return f"queued: {_why(row)}" if _why(row) else "queued", "case-queued"
        if row.case.invalid:
            return f"cannot be judged: {row.case.invalid}", "severity-error"
        return (_why(row) or "not run yet"), "case-unknown"
    said, variable = _came_to(row, result, difference)
    said = said if down is None else down
    unread = "as last known, its file cannot be read" if row.suite.is_unread else ""
    parts = [unread, said, *how_it_came(result.response), _why(row) if row.is_due else ""]
    parts[2:2] = [_settled_by(row), _before(row)]
    return " · ".join(part for part in parts if part), variable


def _settled_by(row: Row) -> str:
    """`3 more settle it`: calls that would, if they all failed."""
    if row.proof is None or not row.is_undecided:
        return ""
    return f"{row.proof.further} more settle{'s' * (row.proof.further == 1)} it"


def _before(row: Row) -> str:
    """`19 of 20 passed before`, where the last save is held against a failure as if it passed:
    also once a command tried it as often as that had been."""
    before, came_to = row.before, row.compared.came_to
    if row.effect is None or before is None or not at_times(before, came_to).before:
        return ""
    return f"{before.passes} of {before.trials} passed before"


def _came_to(row: Row, result: CaseResult, difference: str) -> tuple[str, str]:
    """What the result says, and the theme variable it is written in."""
    variable = glyphs.ROW_STATUS[row.status].variable
    if row.muted:
        return f"muted: {row.muted}", variable
    if result.status is CaseStatus.FAILED:
        return difference or _unquoted(row, result.error), variable
    if result.status is CaseStatus.ERROR:
        return f"error: {result.error}", variable
    if result.status is CaseStatus.SKIPPED:
        return f"skipped: {result.error}" if result.error else "skipped", variable
    if result.is_nothing_asserted:
        return difference or "nothing asserted", variable
    if row.is_flaky:
        is_proven = row.proof is not None and row.proof.is_flaky
        tried = row.proof.of_now if row.proof is not None and is_proven else result.trials_judged
        return f"flaky: {tried.passes} of {tried.count} passed", "case-flaky"
    if difference:
        return difference, "case-passed" if row.effect is Effect.BETTER else "case-stale"
    return "", "quiet"


def _unquoted(row: Row, error: str) -> str:
    """Without the name of an assertion of the contract, as the room is for what it says; that of
    an evaluator stays: what it says need not tell which one it was."""
    check, colon, said = error.partition(": ")
    body = row.case.body
    is_evaluator = not body.has_expect or check in body.evaluator_names
    if not colon or not check.isalnum() or (is_evaluator and check != TIMEOUT):
        return error
    return said


def _why(row: Row) -> str:
    return ", ".join(row.due.reasons) if row.due is not None else ""
