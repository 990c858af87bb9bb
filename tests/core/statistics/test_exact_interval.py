"""The exact interval: whatever the truth, 95 of 100 hold it."""

from fractions import Fraction
from math import comb

import pytest

from evaltui.core.statistics.exact_interval import exact_rate
from evaltui.core.statistics.rates import PassRate, pass_rate

SHARES = [at / 200 for at in range(201)]


def coverage(intervals: list[PassRate], share: float) -> float:
    """How probable one is that holds the truth, by the probabilities of all numbers of passes."""
    trials = len(intervals) - 1
    return sum(
        comb(trials, passes) * share**passes * (1 - share) ** (trials - passes)
        for passes, one in enumerate(intervals)
        if one.low <= share <= one.high
    )


@pytest.mark.parametrize("trials", [*range(1, 41), 50, 60, 100, 200])
def test_it_holds_the_truth_at_least_95_times_in_100_whatever_that_is(trials: int) -> None:
    intervals = [exact_rate(passes, trials) for passes in range(trials + 1)]
    assert min(coverage(intervals, share) for share in SHARES) >= 0.95


def test_wilsons_does_so_on_average_alone() -> None:
    """Why there are two: what would be reported of a judge that is nearly always right."""
    for trials, share in ((10, 0.95), (20, 0.95), (50, 0.99), (100, 0.8)):
        wilsons = [pass_rate(passes, trials) for passes in range(trials + 1)]
        assert coverage(wilsons, share) < 0.945


@pytest.mark.parametrize("passes", [0, 1, 5, 13, 19, 20])
def test_it_is_the_narrowest_that_leaves_one_in_forty_on_either_side(passes: int) -> None:
    """In whole numbers: at either end the binomial has what was seen, or more, in 1 of 40."""
    found, trials = exact_rate(passes, 20), 20

    def at_least(least: int, share: Fraction) -> Fraction:
        return sum(
            (
                comb(trials, count) * share**count * (1 - share) ** (trials - count)
                for count in range(least, trials + 1)
            ),
            Fraction(0),
        )

    low, high = Fraction(found.low), Fraction(found.high)
    if passes:
        assert float(at_least(passes, low)) == pytest.approx(0.025, rel=1e-9)
    if passes < trials:
        assert float(1 - at_least(passes + 1, high)) == pytest.approx(0.025, rel=1e-9)
    assert (found.low == 0) is (passes == 0)
    assert (found.high == 1) is (passes == trials)
    assert (found.passes, found.trials) == (passes, trials)


@pytest.mark.parametrize(("passes", "trials"), [(1, 100_000), (80_000, 100_000), (99_999, 100_000)])
def test_it_is_found_for_many_trials_too(passes: int, trials: int) -> None:
    """As Wilson's, which are right there but for rare outcomes."""
    found, wilsons = exact_rate(passes, trials), pass_rate(passes, trials)
    assert found.low == pytest.approx(wilsons.low, abs=5e-5)
    assert found.high == pytest.approx(wilsons.high, abs=5e-5)
