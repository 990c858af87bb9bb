"""Where the next trial goes: to the case that is nearest to being proven, and still can be."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeVar

from evaltui.core.statistics.e_value import log_e, reaches
from evaltui.core.statistics.proven import bars
from evaltui.core.statistics.trials import Trials, TwoSides

Key = TypeVar("Key")


def undecided(
    cases: Mapping[Key, TwoSides],
    affected: int,
    alpha: float,
    max_trials: int,
    *,
    has_both: bool = False,
) -> dict[Key, int]:
    """Cases that failed, are not proven, and would be if all further trials failed, each with how
    many that takes; the one with the greatest e-value first.

    `affected`, `alpha`: as for `proven`; `max_trials`: of now, of one case. One that never failed
    is not among them: nothing says that it moved. `has_both`: each further trial is one of the
    baseline too, which then passes.

    >>> good, poor = Trials(20, 0), Trials(2, 0)
    >>> cases = {"b": TwoSides(good, Trials(0, 1)), "a": TwoSides(good, Trials(0, 2)),
    ...          "c": TwoSides(poor, Trials(0, 1)), "d": TwoSides(good, Trials(1, 0))}
    >>> undecided(cases, 50, 0.1, 5)
    {'a': 2, 'b': 3}
    >>> undecided({"c": cases["c"]}, 10, 0.1, 5, has_both=True)
    {'c': 4}
    """
    failed = {key: sides for key, sides in cases.items() if sides.now.failures}
    found: dict[Key, int] = {}
    wanted = bars(failed, affected, alpha)
    for key in sorted(wanted, key=lambda one: -log_e(failed[one])):
        further = _further(failed[key], wanted[key], max_trials, has_both=has_both)
        if further is not None:
            found[key] = further
    return found


def next_trial(
    cases: Mapping[Key, TwoSides],
    affected: int,
    alpha: float,
    max_trials: int,
    *,
    has_both: bool = False,
) -> Key | None:
    """The first of the `undecided`; `None` when there is none, and no trial is worth its cost."""
    found = undecided(cases, affected, alpha, max_trials, has_both=has_both)
    return next(iter(found), None)


def _further(sides: TwoSides, wanted: Fraction, most: int, *, has_both: bool) -> int | None:
    for further in range(1, most - sides.now.count + 1):
        then = sides.with_failures(further)
        if has_both:
            then = TwoSides(then.baseline + Trials(further, 0), then.now)
        if reaches(then, wanted):
            return further
    return None
