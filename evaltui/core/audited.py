"""What a random sample tells about the cases that did not run: at most how many have changed."""

from collections.abc import Collection

from msgspec import Struct

from evaltui.core.case import CaseKey
from evaltui.core.comparison import RunChanges


class Audited(Struct, frozen=True, gc=False):
    """Of the cases that an edit may or may not affect some were drawn at random and run."""

    drawn: int
    """Those that were drawn, ran and were answered."""
    moved: int
    """Of the drawn ones, those that pass now and did not, or the other way round."""
    others: int
    """All that could have been drawn."""

    @property
    def at_most(self) -> int:
        """How many of those that were not answered have moved at most, with a confidence of 95 %:
        no more than of all that the drawn ones stand for."""
        from evaltui.core.statistics.audit import most_changed  # the first frame has no need of it

        return most_changed(self.others, self.drawn, self.moved) - self.moved


class RanOfSave(Struct, frozen=True, gc=False):
    """Which cases ran because of a save, where some were drawn, and what that tells of those that
    were not answered."""

    certain: int
    """Cases that ran because the edit affects them, or because they had not passed."""
    drawn: int
    not_run: int
    """Of the others, those that did not run at all."""
    in_error: int = 0
    """Of the drawn ones, those that were not answered: they tell nothing of the others, and are
    some of them still."""
    more: int = 0
    """Of the others, those that ran without being drawn, as when they were asked for."""
    more_in_error: int = 0
    """Those of them that were not answered."""
    besides: int = 0
    """Of the others, those that ran, and not because of the save, as by a command."""
    due_again: int = 0
    """Of those that did not run, those that ran for a save before this one, which goes on with it:
    what they came to is told too."""
    at_most: int = 0
    """How many of the others that were not answered have moved at most, with a confidence of
    95 %."""

    @property
    def left(self) -> int:
        """Others that were not answered."""
        return self.not_run + self.in_error + self.more_in_error

    @property
    def bound(self) -> str:
        """`of 108 others at most 16 moved (95 %)`; empty when none is left, and where so few were
        drawn that all of those may have moved."""
        if not self.left or self.at_most >= self.left:
            return ""
        return (
            f"of {self.left:,} other{'s' * (self.left > 1)} at most {self.at_most:,} moved (95 %)"
        )

    @property
    def words(self) -> str:
        """`54 of 162 ran (34 certain, 20 drawn)`; `8 of 15 ran (5 certain, 3 drawn, 2 of them in
        error), 1 besides`; `162 of 162 ran (34 certain, 20 drawn, 108 more)` once the rest ran."""
        ran = self.certain + self.drawn + self.more
        total = ran + self.besides + self.not_run
        lost = _in_error(self.in_error)
        more = f", {self.more:,} more{_in_error(self.more_in_error)}" if self.more else ""
        besides = f", {self.besides:,} besides" if self.besides else ""
        again = f", {self.due_again:,} due again" if self.due_again else ""
        parts = f"{self.certain:,} certain, {self.drawn:,} drawn{lost}{more}"
        return f"{ran:,} of {total:,} ran ({parts}){besides}{again}"


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
        before = self.before or Audited(0, 0, self.others)
        if not answered and self.before is None:
            return None
        return Audited(
            before.drawn + len(answered),
            before.moved + len(moved),
            self.others,
        )


def _in_error(number: int) -> str:
    return f", {number:,} of them in error" if number else ""
