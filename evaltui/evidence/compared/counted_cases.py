"""Whether the summary of a run follows from its cases, and what it leaves out."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from evaltui.core.errors import UserError
from evaltui.core.reported_number import NOISE
from evaltui.evidence.case_row import CaseRow
from evaltui.evidence.packs.pack_hashes import MAKE_ANEW
from evaltui.evidence.summary import SummaryCounts

RATES = "judge_pass_rates"


def as_counted(
    summary: Mapping[str, Any], rows: Collection[CaseRow], place: Path | str
) -> dict[str, Any]:
    """With the numbers that the cases come to: every program counts a case by its verdict, and for
    a judge the cases that it did not skip.

    Raises UserError where it tells another number; `place` is named as where it stands.
    """
    counts = SummaryCounts()
    counts.add_rows(rows)
    found = counts.numbers()
    if not any(row.judge_results for row in rows):
        del found[RATES]  # which judges there were is not told
    if wrong := next(_differing(summary, found), ""):
        raise UserError(f"`{place}`: {wrong}.", MAKE_ANEW)
    return {**summary, **found}


def _differing(told: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
    for name, number in found.items():
        if name != RATES:
            yield from _unlike(name, told.get(name), number)
    if RATES in found:
        for judge, rate in (told.get(RATES) or {}).items():
            yield from _unlike(f"{RATES}.{judge}", rate, found[RATES].get(judge))


def _unlike(name: str, told: float | None, found: float | None) -> Iterator[str]:
    if told is None:
        return
    if found is None:
        yield f"`{name}` is {told}, though no case was judged by it"
    elif abs(told - found) > NOISE:
        yield f"`{name}` is {told}, and its cases come to {found}"
