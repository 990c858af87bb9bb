"""How far the last change reaches on one board."""

from collections import Counter
from collections.abc import Iterable
from typing import Self

from msgspec import Struct

from evaltui.core.staleness import NEVER_RUN, Degree, DueCase


class Reach(Struct, frozen=True):
    """How many cases of the board the last change made due, and why."""

    total: int
    """Cases of the board."""
    affected: int = 0
    """For certain: to be asked, or to be judged, again."""
    possibly: int = 0
    """Those that it may affect, beside."""
    never_run: int = 0
    """Cases without a result, which no change made so."""
    why: str = ""
    """The most frequent reason; empty when no case is due, or all that are have no result, which
    their number says already."""

    @property
    def is_any(self) -> bool:
        """Whether the change has cases to run."""
        return bool(self.affected or self.possibly)

    @classmethod
    def of(cls, cases: Iterable[DueCase], total: int) -> Self:
        """Of the cases that cannot be trusted, out of so many."""
        reasons: Counter[str] = Counter()
        degrees: Counter[Degree] = Counter()
        for case in cases:
            reasons.update(reason for reason in case.reasons[:1] if reason != NEVER_RUN)
            degrees[case.degree] += 1
        possibly, never_run = degrees[Degree.POSSIBLY], degrees[Degree.NEVER_RUN]
        affected = degrees.total() - possibly - never_run
        why = max(reasons, key=lambda reason: reasons[reason], default="")
        return cls(total, affected, possibly, never_run, why)
