"""What a comparison can prove at best, held against the list that is made of its trials."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.ab_reach import AbReach
from evaltui.core.case import CaseKey
from evaltui.core.proof import Level, weigh
from evaltui.core.statistics.proven import fewest_provable
from evaltui.core.statistics.trials import Trials, TwoSides


def proven(fallen: int, cases: int, trials: int, alpha: float) -> int:
    """How many are, where so many fall whole and all others pass every time."""
    good, bad = Trials(trials, 0), Trials(0, trials)
    sides = {
        CaseKey("s", str(n)): TwoSides(good, bad if n < fallen else good) for n in range(cases)
    }
    found = weigh(sides, Level(cases, alpha, trials, has_both=True))
    return sum(one.has_regressed for one in found.values())


@given(
    cases=st.integers(1, 30), trials=st.integers(1, 9), alpha=st.sampled_from([0.01, 0.1, 0.2, 1])
)
def test_so_many_have_to_fall_and_no_fewer(cases: int, trials: int, alpha: float) -> None:
    fewest = fewest_provable(trials, cases, alpha)
    listed = [proven(fallen, cases, trials, alpha) for fallen in range(cases + 1)]
    assert next((n for n, found in enumerate(listed) if found), None) == fewest


@given(cases=st.integers(1, 30), alpha=st.sampled_from([0.01, 0.1, 1]))
def test_so_many_trials_are_enough_and_one_less_is_not(cases: int, alpha: float) -> None:
    enough = AbReach(cases, 1, alpha, 1).enough
    assert AbReach(cases, enough, alpha, enough).proves_one
    assert enough == 1 or not AbReach(cases, enough - 1, alpha, enough).proves_one


@pytest.mark.parametrize(
    ("cases", "trials", "said"),
    [
        (1, 1, "1 trial a side cannot prove that the one case got worse"),
        (9, 2, "2 trials a side cannot prove that any of 9 cases got worse"),
        (
            1_200,
            5,
            "5 trials a side cannot prove that one case of 1,200 got worse, "
            "only that 194 or more did",
        ),
    ],
)
def test_it_says_what_it_cannot(cases: int, trials: int, said: str) -> None:
    reach = AbReach(cases, trials, 0.1, 20)
    assert (str(reach), reach.proves_one) == (said, False)


def test_what_needs_no_proof_has_no_limit() -> None:
    assert AbReach(0, 1, 0.1, 1).proves_one


def test_of_no_case_it_can_be_proven() -> None:
    assert AbReach(0, 1, 0.1, 1).proves_one
    with pytest.raises(ValueError, match="no case"):
        _ = AbReach(0, 1, 0.1, 1).enough
