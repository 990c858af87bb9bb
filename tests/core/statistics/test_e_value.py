"""An e-value is large with a chance of at most one in as much, whoever looks and when."""

from fractions import Fraction
from math import comb, exp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaltui.core.statistics.e_value import e_value, exact_e, log_e, reaches
from evaltui.core.statistics.trials import Trials, TwoSides

COUNT = st.integers(0, 30)
TRIALS = st.builds(Trials, COUNT, COUNT)
SIDES = st.builds(TwoSides, TRIALS, TRIALS)


@given(SIDES)
def test_it_is_the_fraction_that_the_formula_says(sides: TwoSides) -> None:
    assert exp(log_e(sides)) == pytest.approx(float(exact_e(sides)), rel=1e-9)


@settings(max_examples=30)
@given(st.integers(0, 8), st.integers(0, 8), st.fractions(0, 1), st.fractions(0, 1))
def test_where_nothing_got_worse_it_is_one_at_most_on_average(
    then: int, now: int, one: Fraction, other: Fraction
) -> None:
    before, after = sorted((one, other))
    mean = sum(
        comb(then, s0)
        * before**s0
        * (1 - before) ** (then - s0)
        * comb(now, s1)
        * after**s1
        * (1 - after) ** (now - s1)
        * exact_e(TwoSides(Trials(s0, then - s0), Trials(s1, now - s1)))
        for s0 in range(then + 1)
        for s1 in range(now + 1)
    )
    assert mean <= 1


@settings(max_examples=20)
@given(st.integers(0, 8), st.fractions(0, 1), st.integers(2, 20))
def test_looking_after_each_trial_proves_no_more(then: int, p: Fraction, bar: int) -> None:
    """Whoever runs until it reaches the bar and then stops gets there once in so many times."""
    reached = Fraction(0)
    for passed in range(then + 1):
        baseline = Trials(passed, then - passed)
        share = comb(then, passed) * p**passed * (1 - p) ** (then - passed)
        reached += share * _chance_to_reach(baseline, p, bar)
    assert reached <= Fraction(1, bar)


def _chance_to_reach(baseline: Trials, p: Fraction, bar: int) -> Fraction:
    reached = Fraction(0)
    going: dict[Trials, Fraction] = {Trials(): Fraction(1)}
    for _ in range(8):
        after: dict[Trials, Fraction] = {}
        for now, chance in going.items():
            for more, share in ((Trials(1, 0), p), (Trials(0, 1), 1 - p)):
                after[now + more] = after.get(now + more, Fraction(0)) + chance * share
        there = {now for now in after if exact_e(TwoSides(baseline, now)) >= bar}
        reached += sum(after[now] for now in there)
        going = {now: chance for now, chance in after.items() if now not in there}
    return reached


@given(SIDES)
def test_a_further_failure_says_more_where_something_is_said(sides: TwoSides) -> None:
    if exact_e(sides) > 1:
        assert exact_e(sides.with_failures(1)) > exact_e(sides)


@given(SIDES)
def test_better_and_worse_are_never_both_said(sides: TwoSides) -> None:
    assert min(exact_e(sides), exact_e(sides.exchanged)) <= 1


def test_trials_by_the_thousand_neither_overflow_nor_vanish() -> None:
    sides = TwoSides(Trials(5_000, 0), Trials(0, 5_000))
    assert e_value(sides) == float("inf")
    assert log_e(sides) > 6_000
    assert 0.0 < e_value(sides.exchanged) < 1e-3


@given(SIDES)
def test_a_bar_is_reached_exactly_where_both_are_equal(sides: TwoSides) -> None:
    exact = exact_e(sides)
    assert reaches(sides, exact)
    assert not reaches(sides, exact + Fraction(1, 10**40))
    assert reaches(sides, exact - exact / 10**40)
