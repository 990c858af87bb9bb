"""Which cases are proven to have got worse, so that at most a share α of the list is wrong.

Wang and Ramdas, "False discovery rate control with e-values" (2022): e-BH, valid under any
dependence of the cases. Only e-values of the moment count; the largest ever seen proves nothing.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import TypeVar

from evaltui.core.statistics.e_value import CLOSE, log_e, log_of, reaches
from evaltui.core.statistics.trials import Trials, TwoSides

Key = TypeVar("Key")


def proven(cases: Mapping[Key, TwoSides], affected: int, alpha: float) -> tuple[Key, ...]:
    """The cases of the list, the surest first.

    `affected`: how many cases the edit can affect, fixed before the first trial; those that are
    missing in `cases` prove nothing. `alpha`: the share of the list that may be wrong, 0 to 1.

    >>> from evaltui.core.statistics.trials import Trials
    >>> sides = TwoSides(Trials(20, 0), Trials(0, 4))
    >>> proven({"refund": sides}, 170, 0.1)
    ('refund',)
    >>> proven({"refund": sides}, 171, 0.1)
    ()
    """
    found = _list(_Ranked(cases.values()), affected, alpha)
    if not found:
        return ()
    wanted = bar(found, affected, alpha)
    on_list = [key for key, sides in cases.items() if reaches(sides, wanted)]
    return tuple(sorted(on_list, key=lambda key: -log_e(cases[key])))


def bar(proven_with_it: int, affected: int, alpha: float) -> Fraction:
    """The e-value that the last of a list of so many takes: N / (α k).

    >>> bar(1, 200, 0.1), bar(4, 200, 0.1)
    (Fraction(2000, 1), Fraction(500, 1))
    """
    return Fraction(affected) / (_exact(alpha) * proven_with_it)


def bars(cases: Mapping[Key, TwoSides], affected: int, alpha: float) -> dict[Key, Fraction]:
    """What each case that is not proven has to reach to come onto the list, as the others stand."""
    ranked = _Ranked(cases.values())
    length = _list(ranked, affected, alpha)
    # Were one more beyond doubt, a list of `count` would take so many others.
    longer = [
        count
        for count in range(min(affected, len(ranked.logs) + 1), length, -1)
        if ranked.reaching(bar(count, affected, alpha)) >= count - 1
    ]
    last = bar(length, affected, alpha) if length else None
    found: dict[Key, Fraction] = {}
    for key, sides in cases.items():
        if last is None or not reaches(sides, last):
            each = (bar(count, affected, alpha) for count in longer)
            found[key] = next(wanted for wanted in each if not reaches(sides, wanted))
    return found


def failures_to_prove(
    sides: TwoSides, wanted: Fraction, most: int, *, has_both: bool = False
) -> int | None:
    """How many further trials of now would prove it, if they all failed; `None` when more than
    `most` would. `wanted` as `bars` tells it. `has_both`: each further trial is one of the baseline
    too, which then passes.

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


class _Ranked:
    """The e-values that can be on a list at all: no bar is below one."""

    def __init__(self, cases: Iterable[TwoSides]) -> None:
        self._cases = sorted((one for one in cases if log_e(one) > -CLOSE), key=log_e)
        self.logs = [log_e(one) for one in self._cases]

    def reaching(self, wanted: Fraction) -> int:
        """How many e-values are at least so large."""
        logarithm = log_of(wanted)
        low, high = (bisect_left(self.logs, logarithm + by) for by in (-CLOSE, CLOSE))
        close = sum(reaches(one, wanted) for one in self._cases[low:high])
        return len(self.logs) - high + close


def _list(ranked: _Ranked, affected: int, alpha: float) -> int:
    """The largest k of which the k-th e-value reaches N / (α k); 0 for none."""
    for count in range(min(len(ranked.logs), affected), 0, -1):
        if ranked.reaching(bar(count, affected, alpha)) >= count:
            return count
    return 0


@cache
def _exact(alpha: float) -> Fraction:
    """As it is written: 0.1 is a tenth, not the float beside it."""
    if not 0 < alpha <= 1:
        raise ValueError(f"alpha must be above 0 and at most 1, not {alpha}")
    return Fraction(str(alpha))
