"""Two runs as a whole: mean difference, its error with and without clusters, lost and gained."""

from fractions import Fraction
from math import comb, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.statistics.e_value import e_value
from evaltui.core.statistics.paired import PairedDifference, mcnemar, paired_difference
from evaltui.core.statistics.power import smallest_visible_drop
from evaltui.core.statistics.trials import Trials, TwoSides

DIFFERENCES = st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), min_size=2, max_size=30)


@given(st.integers(0, 40), st.integers(0, 40))
def test_lost_and_gained_are_told_apart_by_nothing_but_their_numbers(
    lost: int, gained: int
) -> None:
    assert mcnemar(lost, gained) == mcnemar(gained, lost)
    assert 0 < mcnemar(lost, gained) <= 1
    assert mcnemar(lost, lost) == 1.0


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_tails_are_those_of_the_binomial_distribution(lost: int, gained: int) -> None:
    ways = sum(comb(lost + gained, fewer) for fewer in range(min(lost, gained) + 1))
    assert mcnemar(lost, gained) == min(1.0, float(Fraction(2 * ways, 2 ** (lost + gained))))


def test_thousands_of_lost_cases_have_a_chance_still() -> None:
    assert mcnemar(0, 1_000) == pytest.approx(2.0**-999)


@given(DIFFERENCES)
def test_each_case_in_a_cluster_of_its_own_is_no_cluster(differences: list[float]) -> None:
    """But for the one case that the mean costs."""
    count = len(differences)
    alone = paired_difference(differences)
    apart = paired_difference(differences, range(count))
    assert apart.mean == alone.mean
    assert apart.error == pytest.approx(alone.error * sqrt((count - 1) / count))


@given(DIFFERENCES)
def test_a_case_written_twice_adds_nothing_where_it_is_clustered(differences: list[float]) -> None:
    twice = [*differences, *differences]
    names = [*range(len(differences))] * 2
    once = paired_difference(differences, range(len(differences)))
    assert paired_difference(twice, names).error == pytest.approx(once.error)


def test_the_interval_lies_around_the_mean() -> None:
    found = PairedDifference(-0.1, 0.02, 100)
    assert (found.low, found.high) == pytest.approx((-0.1392, -0.0608), abs=1e-4)


def test_one_case_has_no_error_that_could_be_known() -> None:
    assert paired_difference([1.0]) == PairedDifference(1.0, 0.0, 1)


@given(st.integers(1, 10_000))
def test_a_run_in_which_nothing_moved_does_not_see_everything(cases: int) -> None:
    assert smallest_visible_drop(PairedDifference(0.0, 0.0, cases)) > 1 / cases - 1e-12 or cases < 2


@pytest.mark.parametrize(("trials", "cases"), [(1, 3_876), (10, 1_260), (None, 969)])
def test_the_worked_examples_of_the_paper(trials: int | None, cases: int) -> None:
    """ω² = 1/9, σ² = 1/6 on either side: so many cases see a drop of 3 %; `None` are endless
    trials."""
    noise = 2 / 6 / trials if trials else 0.0
    seen = [
        smallest_visible_drop(PairedDifference(0.0, sqrt((1 / 9 + noise) / n), n))
        for n in (cases - 1, cases)
    ]
    assert seen[0] > 0.03 - 1e-6
    assert seen[1] == pytest.approx(0.03, abs=1e-5)


def fisher(before: tuple[int, int], now: tuple[int, int]) -> Fraction:
    """Exact and two-sided, of passes of trials: all tables that are no likelier than this one. No
    rule uses it; it is the usual test that a proof is held against."""
    (s0, n0), (s1, n1) = before, now
    ways = {s: comb(n0, s) * comb(n1, s0 + s1 - s) for s in range(s0 + s1 + 1)}
    return Fraction(sum(w for w in ways.values() if w <= ways[s0]), comb(n0 + n1, s0 + s1))


@pytest.mark.parametrize(
    ("before", "now", "value", "e"),
    [((6, 10), (4, 10), 0.656, 1.0), ((15, 18), (7, 12), 0.2098, 3.0)],
)
def test_what_the_usual_test_does_not_call_different_is_not_proven(
    before: tuple[int, int], now: tuple[int, int], value: float, e: float
) -> None:
    assert float(fisher(before, now)) == pytest.approx(value, abs=5e-4)
    sides = TwoSides(*(Trials(passes, of - passes) for passes, of in (before, now)))
    assert e_value(sides) < e


def test_each_difference_has_its_cluster() -> None:
    with pytest.raises(ValueError, match="zip"):
        paired_difference([1, 0, 0], "ab")
