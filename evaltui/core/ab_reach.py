"""What a comparison of two states can prove at best, known before the first trial."""

from functools import cached_property

from msgspec import Struct

from evaltui.core.statistics.proven import fewest_provable, trials_to_prove_one


class AbReach(Struct, frozen=True, dict=True):
    """If each case that gets worse passes every trial before and fails every one now."""

    cases: int
    """That can differ, and may come to another verdict the next time: the others need no proof."""
    trials: int
    """A side, of each case at most."""
    alpha: float
    confirmed: int
    """A side of each undecided case, if these are tried again."""

    @cached_property
    def proves_one(self) -> bool:
        """Whether it can prove that a single case got worse."""
        return not self.cases or self._fewest == 1

    @property
    def is_confirming_enough(self) -> bool:
        """Whether it can if undecided cases are tried again."""
        return fewest_provable(self.confirmed, self.cases, self.alpha) == 1

    @property
    def enough(self) -> int:
        """With so many trials a side it can."""
        return trials_to_prove_one(self.cases, self.alpha)

    @cached_property
    def _fewest(self) -> int | None:
        return fewest_provable(self.trials, self.cases, self.alpha)

    @property
    def limit(self) -> str:
        """`cannot prove that one case of 12 got worse, only that 2 or more did`."""
        if self._fewest is None:
            cases = "the one case" if self.cases == 1 else f"any of {self.cases:,} cases"
            return f"cannot prove that {cases} got worse"
        only = f"only that {self._fewest:,} or more did"
        return f"cannot prove that one case of {self.cases:,} got worse, {only}"

    def __str__(self) -> str:
        """The same of so many trials a side."""
        return f"{self.trials:,} trial{'s' * (self.trials != 1)} a side {self.limit}"
