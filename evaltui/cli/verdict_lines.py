"""How a conversation ended and how it was judged, as `scenario run` and `runs` write it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from evaltui.core.measured_number import number
from evaltui.core.reported_number import finite
from evaltui.core.verdict import CRITERIA, Kind, Verdict, VerdictStatus
from evaltui.reporters.ansi import plain
from evaltui.tui.render.glyphs import NOTHING_ASSERTED, SKIPPED, VERDICT, Mark


def ending(mark: Mark) -> str:
    """Glyph and word; what was skipped since no judge was there counts as nothing asserted."""
    return f"{mark.glyph} {(NOTHING_ASSERTED if mark is SKIPPED else mark).word}"


def verdict_lines(verdicts: Iterable[Verdict]) -> Iterator[str]:
    """Of a turn, as they were given, whichever of them decided: criteria first."""
    yield from map(verdict_line, sorted(verdicts, key=lambda one: one.check != CRITERIA))


def verdict_line(verdict: Verdict) -> str:
    mark = VERDICT[verdict.status]
    shown = "" if verdict.value is None else f" {number_text(verdict.value)}"
    said = f"{verdict.label or verdict.check}{shown}: {verdict.shown_reason}"
    if verdict.kind is Kind.METRIC and verdict.status is VerdictStatus.PASSED:
        return f"· measured {plain(said)}"  # it decides nothing
    return f"{mark.glyph} {mark.word:7}  {plain(said)}"


def verdict_of(row: Mapping[str, Any]) -> Verdict:
    """Of a row of `evaluatorResults` that somebody else wrote: it tells passed and failed only."""
    has_passed = row.get("success") is True
    return Verdict(
        str(row.get("type")),
        VerdictStatus.PASSED if has_passed else VerdictStatus.FAILED,
        str(row.get("reason")),
        label=str(row.get("label") or ""),
        kind=Kind.METRIC if row.get("kind") == "metric" else Kind.ASSERTION,
        value=row.get("value"),
    )


def number_text(value: object) -> str:
    """Files of other programs may hold anything there."""
    found = finite(value)
    return plain(str(value)) if found is None else number(found)
