"""What differs in a case, in a few words for its row: asked of whoever compares the calls."""

from evaltui.core.case import CaseKey
from evaltui.core.comparison import Effect
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.store.row import Row
from evaltui.tui.render.look import Look

_MOST = 2_000
"""Rows remembered: more than any screen has."""


class RowDifferences:
    """Compares each pair of results once; a row is drawn many times."""

    def __init__(self) -> None:
        self._known: dict[CaseKey, tuple[CaseResult, CaseResult | None, bool, str]] = {}

    def of(self, row: Row, look: Look, *, multiset: bool) -> str:
        """`city "Paris" → "Pariss"`; empty where calls say nothing of why it is as it is."""
        result = row.result
        if result is None or result.response is None or not _is_about_calls(row, result):
            return ""
        known = self._known.get(row.key)
        asked = (result, row.before, look.is_ascii)
        if known is not None and all(a is b for a, b in zip(known, asked, strict=False)):
            return known[3]
        if len(self._known) >= _MOST:
            self._known.clear()
        said = _said(row, result, look, multiset)
        self._known[row.key] = (*asked, said)
        return said


def _is_about_calls(row: Row, result: CaseResult) -> bool:
    if result.status is CaseStatus.FAILED:
        return True
    return row.effect is Effect.CALLS_DIFFER and row.before is not None


def _said(row: Row, result: CaseResult, look: Look, multiset: bool) -> str:
    # Imported late: what compares calls knows every assertion, and the first frame needs none.
    from evaltui.expectations import ASSERTIONS
    from evaltui.expectations.call_diff import DiffTarget, diff_calls
    from evaltui.expectations.expected_diff import diff_expected
    from evaltui.expectations.in_short import in_short
    from evaltui.tui.render.verdicts import first_gating

    assert result.response is not None
    calls = result.response.tool_calls
    if result.status is CaseStatus.FAILED:
        gating = first_gating(result.verdicts)
        assertion = ASSERTIONS.get(gating.check) if gating is not None else None
        if assertion is None or not assertion.is_in_diff:
            return ""
        diff = diff_expected(row.case, calls, result.verdicts, multiset=multiset)
    else:
        before = row.before
        if before is None or before.response is None:
            return "calls differ"
        diff = diff_calls(before.response.tool_calls, calls, DiffTarget.PREVIOUS)
    return in_short(diff, arrow=look.symbols.arrow, cut=look.symbols.cut)
