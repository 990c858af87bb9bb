"""How far the last change reaches on one board."""

from collections import Counter
from collections.abc import Collection
from typing import Self

from msgspec import Struct

from evaltui.core.staleness import StaleCase


class Reach(Struct, frozen=True):
    """How much of the board the last change made due, and why."""

    cases: int
    total: int
    why: str = ""
    """The most frequent reason; empty when no case is due."""

    @classmethod
    def of(cls, cases: Collection[StaleCase], total: int) -> Self:
        """Of the cases that are due, out of so many."""
        reasons = Counter(reason for case in cases for reason in case.reasons[:1])
        why = max(reasons, key=lambda reason: reasons[reason], default="")
        return cls(len(cases), total, why)
