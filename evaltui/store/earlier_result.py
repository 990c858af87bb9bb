"""Puts results of an earlier process, or their details, into a row that may know better."""

from msgspec.structs import replace

from evaltui.core.comparison import last_verdict
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.usual_time import without_last
from evaltui.store.row import STRIP_LENGTH, Row


def restore(row: Row, result: CaseResult, recent: tuple[CaseStatus, ...] | None) -> None:
    """A case that has finished since keeps its new result, behind the recent of the old ones, and
    one that is known in detail keeps the details.
    """
    if row.result is not None and _is_later(row.result, result):
        row.recent = (*(recent or ()), *row.recent)[-STRIP_LENGTH:]
        row.usual_ms = row.usual_ms or result.typical_ms
        if row.changed is not None and row.before is None:
            row.before = result
            row.verdict_before = last_verdict(recent or ())
            row.changed = row.effect_of(row.of_save or row.result)
        return
    if not _says_less(result, row.result):
        row.result = _with_difference(result, row.result)
    if result.typical_ms:
        row.usual_ms = without_last(result.typical_ms, result.duration_ms)
    if recent is not None:
        row.recent = recent[-STRIP_LENGTH:]


def complete_before(row: Row, result: CaseResult) -> bool:
    """Give the result that the last save is held against the calls that it came without; False
    when these are not its details."""
    before = row.before
    if before is None or before.response is not None or result.run_id != before.run_id:
        return False
    row.before = result
    return True


def _is_later(result: CaseResult, other: CaseResult) -> bool:
    """Of one run they are the same: files tell the time less exactly than the history does."""
    return result.run_id != other.run_id and result.finished_at > other.finished_at


def _says_less(result: CaseResult, known: CaseResult | None) -> bool:
    """Whether it is what the history keeps of a result that is known with all its details."""
    return (
        known is not None
        and result.run_id == known.run_id
        and not (result.verdicts or result.response)
        and bool(known.verdicts or known.response)
    )


def _with_difference(result: CaseResult, known: CaseResult | None) -> CaseResult:
    """With the words that the history kept: what it was held against may not be at hand."""
    if known is None or not known.in_short or known.run_id != result.run_id or result.in_short:
        return result
    return replace(result, in_short=known.in_short)
