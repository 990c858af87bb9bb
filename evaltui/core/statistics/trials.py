"""Trials of one case: those of a baseline and the current ones, and which of them were planned."""

from msgspec import Struct

MOST_TRIALS = 1_000_000_000
"""Of one case; a file that tells more is believed as if it told none."""


class Trials(Struct, frozen=True, gc=False):
    """Attempts under the same inputs. Errors are no trials."""

    passes: int = 0
    failures: int = 0

    @property
    def count(self) -> int:
        return self.passes + self.failures

    @property
    def share(self) -> float | None:
        """That passed, from 0 to 1; `None` without any."""
        count = self.passes + self.failures
        return self.passes / count if count else None

    @property
    def pass_mostly(self) -> bool:
        """Whether more passed than failed."""
        return self.passes > self.failures

    def __add__(self, other: "Trials") -> "Trials":
        return Trials(self.passes + other.passes, self.failures + other.failures)

    def without(self, before: "Trials") -> "Trials":
        """Those that came after these."""
        passes, failures = self.passes - before.passes, self.failures - before.failures
        return Trials(max(0, passes), max(0, failures))

    def __str__(self) -> str:
        """`20/20`: passes of all."""
        return f"{self.passes}/{self.count}"


class Planned(Struct, frozen=True, gc=False):
    """The attempts at a case that were planned before the first of them was answered.

    Figures of a whole run are taken of these alone. Further ones are made because of what the
    first came to: they would draw cases that fell back to their true rates, and leave those that
    rose by luck where they are. What is proven of one case takes all: that holds whenever somebody
    stops.
    """

    judged: Trials = Trials()
    erred: int = 0
    """Those of several that nobody could judge."""


class TwoSides(Struct, frozen=True, gc=False):
    """Trials under the inputs of the baseline, and under those of now."""

    baseline: Trials = Trials()
    now: Trials = Trials()

    @property
    def exchanged(self) -> "TwoSides":
        """What proves that it got better is what would prove this to be worse."""
        return TwoSides(self.now, self.baseline)

    @property
    def has_both(self) -> bool:
        """Whether there are trials on both sides."""
        return bool(self.baseline.count and self.now.count)

    @property
    def has_fallen(self) -> bool:
        """Whether a smaller share passes now; not where one side has no trials."""
        then, now = self.baseline, self.now
        return now.passes * then.count < then.passes * now.count

    def with_failures(self, further: int) -> "TwoSides":
        """As if so many further trials of now had failed."""
        return TwoSides(self.baseline, self.now + Trials(0, further))

    def __str__(self) -> str:
        return f"{self.baseline} → {self.now}"
