"""How many of the cases that were not drawn can have changed at most."""

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.statistics.audit import most_changed

DRAWS = st.integers(1, 40).flatmap(
    lambda cases: st.integers(0, cases).flatmap(
        lambda drawn: st.tuples(st.just(cases), st.just(drawn), st.integers(0, drawn))
    )
)


def at_most(cases: int, changed: int, drawn: int, found: int) -> float:
    ways = sum(comb(changed, n) * comb(cases - changed, drawn - n) for n in range(found + 1))
    return ways / comb(cases, drawn)


@given(DRAWS)
def test_it_is_the_largest_number_that_the_draw_leaves_likely(draw: tuple[int, int, int]) -> None:
    cases, drawn, changed = draw
    most = most_changed(*draw)
    can_be = range(changed, cases - (drawn - changed) + 1)
    assert most == max(k for k in can_be if at_most(cases, k, drawn, changed) > 0.05)


@given(st.integers(1, 40), st.integers(0, 40), st.integers(0, 40))
def test_it_is_exceeded_in_one_draw_of_twenty_at_most(cases: int, drawn: int, truth: int) -> None:
    drawn, truth = min(drawn, cases), min(truth, cases)
    wrong = sum(
        comb(truth, found) * comb(cases - truth, drawn - found)
        for found in range(min(drawn, truth) + 1)
        if drawn - found <= cases - truth and most_changed(cases, drawn, found) < truth
    )
    assert wrong <= 0.05 * comb(cases, drawn)


def test_whoever_drew_all_knows_and_whoever_drew_none_does_not() -> None:
    assert most_changed(30, 30, 4) == 4
    assert most_changed(30, 0, 0) == 30


@pytest.mark.timeout(30)
def test_thousands_that_were_drawn_are_no_more_work_than_a_screen_can_wait_for() -> None:
    """With each term made anew this takes minutes."""
    assert most_changed(20_000, 5_000, 2_000) == 8_200


def test_more_cannot_have_changed_than_were_drawn() -> None:
    with pytest.raises(ValueError, match="3 changed of 2 drawn of 10 cannot be"):
        most_changed(10, 2, 3)


def test_what_is_exactly_as_unlikely_as_the_limit_is_excluded() -> None:
    """One of twenty is left out; that just the changed one was has a chance of exactly 5 %."""
    assert most_changed(20, 19, 0) == 0
    assert most_changed(19, 18, 0) == 1
