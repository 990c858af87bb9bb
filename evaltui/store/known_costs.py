"""What cases took and cost the last time they were asked."""

from collections.abc import Iterable, Mapping
from typing import Self

from msgspec import Struct

from evaltui.core.case import CaseKey
from evaltui.core.result import CaseResult
from evaltui.core.verdict import RUBRIC
from evaltui.store.row import Row


class KnownCosts(Struct, frozen=True):
    """Means of one attempt at a case; `None` where nothing is known."""

    seconds: float | None
    cost_usd: float | None
    never_run: int = 0
    """Cases that nothing is known of but by others."""

    @classmethod
    def of(cls, rows: Mapping[CaseKey, Row], keys: Iterable[CaseKey]) -> Self:
        """What these cases took last time; where that is not known, what the others took."""
        known = [rows[key].result for key in keys if key in rows]
        ran = _asked(known)
        others = _asked(row.result for row in rows.values() if row.case.asks_agent)
        seconds = [result.duration_ms / 1000 for result in ran or others]
        # An attempt that brought no answer says nothing of its cost.
        dollars = _costs(ran) or _costs(others)
        return cls(
            sum(seconds) / len(seconds) if seconds else None,
            sum(dollars) / len(dollars) if dollars else None,
            len(known) - len(ran),
        )


def _asked(results: Iterable[CaseResult | None]) -> list[CaseResult]:
    """Those for which an agent was asked."""
    return [result for result in results if result is not None and result.has_run]


def _costs(results: Iterable[CaseResult]) -> list[float]:
    """Of one attempt at each that told it."""
    return [one.cost_usd / max(1, one.trials) for one in results if one.cost_usd is not None]


def vote_usd(results: Iterable[CaseResult], judge: str) -> float | None:
    """What one vote of that judge of rubrics did cost on average; `None` where nobody knows."""
    votes, paid_usd = 0, 0.0
    for verdict in (verdict for result in results for verdict in result.verdicts):
        given = verdict.evidence.get("votes")
        if verdict.cost_usd is None or verdict.evidence.get("judge") != judge:
            continue
        if verdict.check.startswith(RUBRIC) and isinstance(given, list):
            # Those without a score may never have been asked for, and cost nothing.
            scored = sum(vote is not None for vote in given)
            votes, paid_usd = votes + (scored or len(given)), paid_usd + verdict.cost_usd
    return paid_usd / votes if votes else None


def has_voted(results: Iterable[CaseResult], judge: str) -> bool:
    """Whether that judge of rubrics gave one of their verdicts, whatever it told of its cost."""
    verdicts = (verdict for result in results for verdict in result.verdicts)
    return any(verdict.evidence.get("judge") == judge for verdict in verdicts)
