"""What a random sample tells about the cases that did not run: at most how many have changed."""

from collections.abc import Collection

from msgspec import Struct

from evaltui.core.case import CaseKey
from evaltui.core.comparison import RunChanges


class Audited(Struct, frozen=True, gc=False):
    """Of the cases that an edit may or may not affect some were drawn at random and run."""

    certain: int
    """Cases that ran because the edit affects them, or because they had not passed."""
    drawn: int
    """Of the others, those that were drawn, ran and were answered."""
    moved: int
    """Of the drawn ones, those that pass now and did not, or the other way round."""
    others: int
    """All that could have been drawn."""
    more: int = 0
    """Of the others, those that ran without being drawn, as when they were asked for."""

    @property
    def left(self) -> int:
        """Others that did not run."""
        return self.others - self.drawn - self.more

    @property
    def at_most(self) -> int:
        """How many of those that are left have moved at most, with a confidence of 95 %: no more
        than of all that the drawn ones stand for."""
        from evaltui.core.statistics.audit import most_changed  # the first frame has no need of it

        return most_changed(self.others, self.drawn, self.moved) - self.moved

    @property
    def words(self) -> str:
        """`54 of 162 ran (34 certain, 20 drawn) · of 108 others at most 16 moved (95 %)`."""
        return f"{self.ran} · {bound}" if (bound := self.bound) else self.ran

    @property
    def ran(self) -> str:
        """`54 of 162 ran (34 certain, 20 drawn)`; `162 of 162 ran (34 certain, 20 drawn, 108 more)`
        once the rest ran too."""
        total = self.certain + self.others
        more = f", {self.more:,} more" if self.more else ""
        ran = f"{total - self.left:,} of {total:,} ran"
        return f"{ran} ({self.certain:,} certain, {self.drawn:,} drawn{more})"

    @property
    def bound(self) -> str:
        """`of 108 others at most 16 moved (95 %)`; empty when none is left, and where so few were
        drawn that all of those may have moved."""
        if not self.left or (most := self.at_most) >= self.left:
            return ""
        return f"of {self.left:,} other{'s' * (self.left > 1)} at most {most:,} moved (95 %)"


class Draw(Struct, frozen=True):
    """Which cases of a run were drawn, and of how many."""

    drawn: tuple[CaseKey, ...]
    others: int
    """All that could have been drawn, with those of `before`."""
    before: Audited | None = None
    """What the runs came to that this one goes on with."""
    rest: tuple[CaseKey, ...] = ()
    """Those that could have been drawn and were not, without those that ran before."""

    def audited(self, ran: Collection[CaseKey], changes: RunChanges) -> Audited | None:
        """What a whole run came to; `None` when none of the drawn ones was answered."""
        lost = frozenset(changes.errors)
        answered = {key for key in self.drawn if key in ran and key not in lost}
        moved = answered.intersection((*changes.worse, *changes.better))
        certain = len({*ran}.difference(self.drawn, self.rest))
        more = len({*ran}.intersection(self.rest) - lost)
        before = self.before or Audited(0, 0, 0, self.others)
        if not answered and self.before is None:
            return None
        return Audited(
            before.certain + certain,
            before.drawn + len(answered),
            before.moved + len(moved),
            self.others,
            before.more + more,
        )
