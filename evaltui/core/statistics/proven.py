"""Which cases are proven to have got worse, so that at most a share α of the list is wrong.

Wang and Ramdas, "False discovery rate control with e-values" (2022): e-BH, valid under any
dependence of the cases. Only e-values of the moment count; the largest ever seen proves nothing.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import count as counted_from
from operator import itemgetter
from typing import Generic, TypeVar

from evaltui.core.statistics.e_value import CLOSE, log_e, log_of, reaches
from evaltui.core.statistics.trials import Trials, TwoSides

Key = TypeVar("Key")


class ProvenList(Generic[Key]):
    """Which cases are proven as all of them stand, and what each of the others would take.

    >>> from evaltui.core.statistics.trials import Trials
    >>> cases = {"refund": TwoSides(Trials(20, 0), Trials(0, 4))}
    >>> ProvenList(cases, 170, 0.1).keys
    ('refund',)
    >>> ProvenList(cases, 171, 0.1).bars()
    {'refund': Fraction(1710, 1)}
    """

    def __init__(self, cases: Mapping[Key, TwoSides], affected: int, alpha: float) -> None:
        """`affected`: how many cases the edit can affect, fixed before the first trial; those that
        are missing in `cases` prove nothing. `alpha`: the share of the list that may be wrong, 0
        to 1."""
        self._cases, self._affected, self._alpha = cases, affected, alpha
        self._ranked = _Ranked(cases.values())
        self._length = self._longest()
        on_list: list[Key] = []
        if self._length:
            last = self._bar(self._length)
            on_list = [key for key, sides in cases.items() if reaches(sides, last)]
        self.keys = tuple(sorted(on_list, key=lambda key: -log_e(cases[key])))
        """The surest first."""

    def bars(self) -> dict[Key, Fraction]:
        """What each case that is not proven has to reach to come onto it, as the others stand."""
        proven, ranked = {*self.keys}, self._ranked
        most = min(self._affected, len(ranked.logs) + 1)
        # Were one more beyond doubt, a list of `count` would take so many others.
        bars = ((count, self._bar(count)) for count in range(most, self._length, -1))
        longer = [wanted for count, wanted in bars if ranked.reaching(wanted) >= count - 1]
        return {
            key: next(wanted for wanted in longer if not reaches(sides, wanted))
            for key, sides in self._cases.items()
            if key not in proven
        }

    def _bar(self, count: int) -> Fraction:
        return bar(count, self._affected, self._alpha)

    def _longest(self) -> int:
        """The largest k of which the k-th e-value reaches N / (α k); 0 for none."""
        for count in range(min(len(self._ranked.logs), self._affected), 0, -1):
            if self._ranked.reaching(self._bar(count)) >= count:
                return count
        return 0


def bar(proven_with_it: int, affected: int, alpha: float) -> Fraction:
    """The e-value that the last of a list of so many takes: N / (α k).

    >>> bar(1, 200, 0.1), bar(4, 200, 0.1)
    (Fraction(2000, 1), Fraction(500, 1))
    """
    return Fraction(affected) / (_exact(alpha) * proven_with_it)


def failures_to_prove(
    sides: TwoSides, wanted: Fraction, most: int, *, has_both: bool = False
) -> int | None:
    """How many further trials of now would prove it, if they all failed; `None` when more than
    `most` would. `wanted` as `ProvenList.bars` tells it. `has_both`: each further trial is one of
    the baseline too, which then passes.

    >>> from evaltui.core.statistics.trials import Trials
    >>> failures_to_prove(TwoSides(Trials(20, 0), Trials(0, 1)), bar(1, 162, 0.1), 20)
    3
    >>> failures_to_prove(TwoSides(Trials(1, 0), Trials(0, 1)), bar(1, 162, 0.1), 20)
    >>> failures_to_prove(TwoSides(Trials(2, 0), Trials(0, 1)), bar(1, 10, 0.1), 4, has_both=True)
    4
    """

    def after(further: int) -> TwoSides:
        then = sides.with_failures(further)
        passes = Trials(further if has_both else 0, 0)
        return TwoSides(then.baseline + passes, then.now)

    if not reaches(after(most), wanted):
        return None
    return next(n for n in range(most + 1) if reaches(after(n), wanted))


def fewest_provable(trials: int, affected: int, alpha: float) -> int | None:
    """How many cases have to fall together to be proven, if each passes all of so many trials
    before and fails as many now; `None`: not even all that are affected.

    >>> fewest_provable(5, 6, 0.1), fewest_provable(5, 7, 0.1), fewest_provable(1, 200, 0.1)
    (1, 2, None)
    """
    sides = TwoSides(Trials(trials, 0), Trials(0, trials))
    counts = range(1, affected + 1)
    place = bisect_left(counts, True, key=lambda one: reaches(sides, bar(one, affected, alpha)))
    return counts[place] if place < affected else None


def trials_to_prove_one(affected: int, alpha: float) -> int:
    """How many trials a side prove a single case that passes all of them before and fails all now.

    Raises ValueError where none is affected.

    >>> trials_to_prove_one(6, 0.1), trials_to_prove_one(7, 0.1), trials_to_prove_one(200, 0.1)
    (5, 6, 8)
    """
    if affected < 1:
        raise ValueError("of no case it can be proven")
    return next(one for one in counted_from(1) if fewest_provable(one, affected, alpha) == 1)


class _Ranked:
    """The e-values that can be on a list at all: no bar is below one."""

    def __init__(self, cases: Iterable[TwoSides]) -> None:
        ranked = sorted(((log_e(one), one) for one in cases), key=itemgetter(0))
        above = ranked[bisect_left(ranked, -CLOSE, key=itemgetter(0)) :]
        self.logs = [logarithm for logarithm, _ in above]
        self._cases = [one for _, one in above]

    def reaching(self, wanted: Fraction) -> int:
        """How many e-values are at least so large."""
        logarithm = log_of(wanted)
        low, high = (bisect_left(self.logs, logarithm + by) for by in (-CLOSE, CLOSE))
        close = sum(reaches(one, wanted) for one in self._cases[low:high])
        return len(self.logs) - high + close


@cache
def _exact(alpha: float) -> Fraction:
    """As it is written: 0.1 is a tenth, not the float beside it."""
    if not 0 < alpha <= 1:
        raise ValueError(f"alpha must be above 0 and at most 1, not {alpha}")
    return Fraction(str(alpha))
