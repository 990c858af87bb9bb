"""What differs in a case, in a few words for its row."""

import operator
from typing import TypeAlias

from evaltui.core.case import CaseKey
from evaltui.core.comparison import EXPLAINED_BY_PREVIOUS_CALLS, Effect, is_explained_by_calls
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.store.row import Row
from evaltui.tui.render.look import Look

_Asked: TypeAlias = tuple[CaseResult, CaseResult | None, Effect | None, bool]

_MOST = 2_000
"""Rows remembered: more than any screen has."""


class RowDifferences:
    """Compares each pair of results once; a row is drawn many times."""

    def __init__(self) -> None:
        self._known: dict[CaseKey, tuple[_Asked, str]] = {}

    def of(self, row: Row, look: Look, *, multiset: bool) -> str:
        """`city "Paris" → "Pariss"`; empty where calls say nothing of why it is as it is.

        Of a result that came without its calls it is what the history kept of it.
        """
        result = row.result
        if result is None:
            return ""
        known = self._known.get(row.key)
        asked = (result, row.before, row.effect, look.is_ascii)
        if known is not None and all(map(operator.is_, known[0], asked)):
            return known[1]
        if len(self._known) >= _MOST:
            self._known.clear()
        said = _said(row, result, look, multiset)
        self._known[row.key] = (asked, said)
        return said


def _said(row: Row, result: CaseResult, look: Look, multiset: bool) -> str:
    symbols = look.symbols
    if not is_explained_by_calls(result, row.effect):
        return ""
    is_kept = result.response is None or _is_compared_no_more(row)
    if is_kept and result.in_short:
        return result.in_short.replace("→", symbols.arrow).replace("…", symbols.cut)
    if result.response is None:
        return ""
    # Imported late: what compares calls knows every assertion, and the first frame needs none.
    from evaltui.expectations.result_difference import difference_of

    return difference_of(
        result,
        row.case,
        row.before,
        row.effect,
        multiset=multiset,
        arrow=symbols.arrow,
        cut=symbols.cut,
    )


def _is_compared_no_more(row: Row) -> bool:
    """Whether the calls that a save was held against are not at hand."""
    if row.result is not None and row.result.status is CaseStatus.FAILED:
        return False  # it is held against what is expected
    is_known = row.before is not None and row.before.response is not None
    return row.effect in EXPLAINED_BY_PREVIOUS_CALLS and not is_known
