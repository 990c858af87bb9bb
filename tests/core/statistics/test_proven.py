"""The list: e-BH, what a case has to reach to come onto it, and how many failures that takes."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaltui.core.statistics.e_value import exact_e, reaches
from evaltui.core.statistics.proven import ProvenList, bar, failures_to_prove
from evaltui.core.statistics.trials import Trials, TwoSides

CASES = st.lists(
    st.builds(
        TwoSides,
        st.builds(Trials, st.integers(0, 20), st.integers(0, 2)),
        st.builds(Trials, st.integers(0, 2), st.integers(0, 8)),
    ),
    max_size=12,
).map(lambda sides: dict(enumerate(sides)))
OTHERS = st.integers(0, 20)
ALPHA = st.sampled_from([0.01, 0.05, 0.1, 0.5, 1.0])
BEYOND_DOUBT = TwoSides(Trials(5_000, 0), Trials(0, 5_000))


def by_definition(cases: dict[int, TwoSides], affected: int, alpha: float) -> int:
    """The largest k with e₍ₖ₎ ≥ N / (α k), in fractions."""
    ranked = sorted(map(exact_e, cases.values()), reverse=True)
    fits = [k for k, e in enumerate(ranked, 1) if e * k * Fraction(str(alpha)) >= affected]
    return max(fits, default=0)


@given(CASES, OTHERS, ALPHA)
def test_the_list_is_that_of_the_definition(
    cases: dict[int, TwoSides], others: int, alpha: float
) -> None:
    found = ProvenList(cases, len(cases) + others, alpha).keys
    assert len(found) == by_definition(cases, len(cases) + others, alpha)
    ranked = [exact_e(cases[key]) for key in found]
    assert ranked == sorted(ranked, reverse=True)
    rest = [exact_e(cases[key]) for key in cases.keys() - {*found}]
    assert not found or max(rest, default=0) < min(ranked)


@given(CASES, OTHERS, ALPHA)
def test_a_bar_is_what_a_case_takes_as_the_others_stand(
    cases: dict[int, TwoSides], others: int, alpha: float
) -> None:
    affected = len(cases) + others
    found = ProvenList(cases, affected, alpha)
    wanted = found.bars()
    assert wanted.keys() == cases.keys() - {*found.keys}
    for key, least in wanted.items():
        beyond_doubt = {**cases, key: BEYOND_DOUBT}
        assert least == bar(len(ProvenList(beyond_doubt, affected, alpha).keys), affected, alpha)
        assert not reaches(cases[key], least)


@settings(max_examples=25)
@given(CASES, OTHERS, ALPHA)
def test_so_many_failures_prove_it_and_one_fewer_does_not(
    cases: dict[int, TwoSides], others: int, alpha: float
) -> None:
    affected = len(cases) + others
    for key, least in ProvenList(cases, affected, alpha).bars().items():
        further = failures_to_prove(cases[key], least, 15)
        for more in range(16):
            then = {**cases, key: cases[key].with_failures(more)}
            is_proven = key in ProvenList(then, affected, alpha).keys
            assert is_proven is (further is not None and more >= further)


def test_a_case_that_passed_always_comes_onto_the_list_where_its_e_value_is_the_bar() -> None:
    """One pass, one failure: e = 1; a list of one at α = 1 takes no more."""
    cases = {"a": TwoSides(Trials(1, 0), Trials(0, 1))}
    assert ProvenList(cases, 1, 1.0).keys == ("a",)


@pytest.mark.parametrize("alpha", [0.0, -0.1, 1.1])
def test_a_share_is_between_none_and_all(alpha: float) -> None:
    with pytest.raises(ValueError, match=f"alpha must be above 0 and at most 1, not {alpha}"):
        bar(1, 10, alpha)
