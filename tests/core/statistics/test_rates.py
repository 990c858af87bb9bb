"""Rates of passed attempts, their intervals, and what k attempts together promise."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.statistics.rates import (
    Stability,
    pass_at_k,
    pass_hat_k,
    pass_rate,
    stability,
)

TRIALS = st.integers(1, 12).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(
    ("passes", "trials", "low", "high"),
    [
        (0, 1, 0.0, 0.793451),
        (1, 1, 0.206549, 1.0),
        (5, 10, 0.236593, 0.763407),
        (8, 10, 0.490162, 0.943318),
        (10, 10, 0.722467, 1.0),
        (81, 263, 0.255289, 0.366210),
    ],
)
def test_the_interval_is_wilsons(passes: int, trials: int, low: float, high: float) -> None:
    """The last is an example of Newcombe, Statistics in Medicine 17 (1998)."""
    found = pass_rate(passes, trials)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-6)
    assert (found.passes, found.trials, found.rate) == (passes, trials, passes / trials)


@given(TRIALS)
def test_the_rate_lies_in_its_interval(counts: tuple[int, int]) -> None:
    found = pass_rate(*counts)
    assert 0 <= found.low <= found.rate + 1e-12
    assert found.rate - 1e-12 <= found.high <= 1


@pytest.mark.parametrize(
    ("passes", "trials", "said"),
    [
        (3, 3, Stability.PASSED),
        (0, 3, Stability.FAILED),
        (1, 3, Stability.FLAKY),
        (2, 3, Stability.FLAKY),
        (0, 0, Stability.FAILED),
    ],
)
def test_stable_is_what_ends_the_same_every_time(passes: int, trials: int, said: str) -> None:
    assert stability(passes, trials) is said


@given(TRIALS.filter(lambda counts: counts[1] < 9), st.data())
def test_k_attempts_are_drawn_from_those_there_were(
    counts: tuple[int, int], data: st.DataObject
) -> None:
    """Counted out: every way of choosing k of the attempts."""
    passes, trials = counts
    k = data.draw(st.integers(1, trials))
    ways = [*combinations([True] * passes + [False] * (trials - passes), k)]
    assert pass_at_k(passes, trials, k) == pytest.approx(sum(map(any, ways)) / len(ways))
    assert pass_hat_k(passes, trials, k) == pytest.approx(sum(map(all, ways)) / len(ways))


@pytest.mark.parametrize("k", [0, 4])
def test_more_attempts_than_there_were_say_nothing(k: int) -> None:
    for chance in (pass_at_k, pass_hat_k):
        with pytest.raises(ValueError, match=f"k must be between 1 and 3, not {k}"):
            chance(1, 3, k)
    assert (pass_at_k(1, 3, 3), pass_hat_k(3, 3, 3)) == (1.0, 1.0)


def test_what_never_passed_or_never_failed_has_an_interval_that_ends_exactly_there() -> None:
    for trials in range(1, 60):
        assert pass_rate(0, trials).low == 0.0
        assert pass_rate(trials, trials).high == 1.0


def test_how_many_cases_fall_on_a_rerun_though_nothing_changed() -> None:
    """p(1 − p) of a case, without bias: that one attempt passes and not another as well. Over
    τ-bench's 50 tasks of four trials, as in `pass_hat_k`, seven fall."""
    tasks = {0: 14, 1: 12, 2: 10, 3: 4, 4: 10}
    falls = [
        (pass_hat_k(passes, 4, 1) - pass_hat_k(passes, 4, 2), number)
        for passes, number in tasks.items()
    ]
    for (chance, _), passes in zip(falls, tasks, strict=True):
        assert chance == pytest.approx(passes * (4 - passes) / (4 * 3))
    total = sum(chance * number for chance, number in falls)
    assert f"{total / 50:.4f}" == "0.1467"
    assert f"{total:.1f}" == "7.3"
