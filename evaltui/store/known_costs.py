"""What cases took and cost the last time they were asked."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Self

from evaltui.core.case import CaseKey
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.store.row import Row


class KnownCosts:
    """Means of one attempt at each of some cases, as they were when it was made; `None` where
    nothing is known.

    What is known of others is looked for when it is asked for: it takes a look at every row.
    """

    def __init__(
        self, rows: Mapping[CaseKey, Row], ran: Sequence[CaseResult], never_run: int
    ) -> None:
        self._rows, self._ran = rows, ran
        self.never_run = never_run
        """Cases that nothing is known of but by others."""

    @classmethod
    def of(cls, rows: Mapping[CaseKey, Row], keys: Iterable[CaseKey]) -> Self:
        """What these cases took last time; where that is not known, what the others took."""
        known = [rows[key].result for key in keys if key in rows]
        ran = _asked(known)
        return cls(rows, ran, len(known) - len(ran))

    @cached_property
    def seconds(self) -> float | None:
        seconds = [result.duration_ms / 1000 for result in self._ran or self._others]
        return sum(seconds) / len(seconds) if seconds else None

    @cached_property
    def cost_usd(self) -> float | None:
        # An attempt that brought no answer says nothing of its cost.
        dollars = _costs(self._ran) or _costs(self._others)
        return sum(dollars) / len(dollars) if dollars else None

    @cached_property
    def tells_none(self) -> bool:
        """Whether there were answers, and none told its cost."""
        asked = self._ran or self._others
        is_answered = any(result.status is not CaseStatus.ERROR for result in asked)
        return is_answered and self.cost_usd is None

    @cached_property
    def _others(self) -> Sequence[CaseResult]:
        return _asked(row.result for row in self._rows.values() if row.case.asks_agent)


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
        if isinstance(given, list):
            # Those without a score may never have been asked for, and cost nothing.
            scored = sum(vote is not None for vote in given)
            votes, paid_usd = votes + (scored or len(given)), paid_usd + verdict.cost_usd
    return paid_usd / votes if votes else None


def has_voted(results: Iterable[CaseResult], judge: str) -> bool:
    """Whether that judge of rubrics gave one of their verdicts, whatever it told of its cost."""
    verdicts = (verdict for result in results for verdict in result.verdicts)
    return any(verdict.evidence.get("judge") == judge for verdict in verdicts)
