"""Two sets of trials of one case."""

import pytest

from evaltui.core.statistics.trials import Trials, TwoSides


def test_trials_add_up_and_what_came_later_is_told_apart() -> None:
    assert Trials(2, 1) + Trials(1, 3) == Trials(3, 4)
    assert Trials(3, 4).without(Trials(1, 3)) == Trials(2, 1)
    assert Trials(0, 1).without(Trials(1, 0)) == Trials(0, 1)


@pytest.mark.parametrize(
    ("trials", "share", "is_most"),
    [
        (Trials(), None, False),
        (Trials(1, 3), 0.25, False),
        (Trials(2, 2), 0.5, False),
        (Trials(3, 1), 0.75, True),
    ],
)
def test_most_is_more_than_half(trials: Trials, share: float | None, is_most: bool) -> None:
    assert (trials.share, trials.pass_mostly) == (share, is_most)


@pytest.mark.parametrize(
    ("then", "now", "has_fallen"),
    [
        (Trials(2, 0), Trials(3, 1), True),
        (Trials(2, 2), Trials(3, 3), False),
        (Trials(1, 1), Trials(2, 1), False),
        (Trials(), Trials(0, 3), False),
        (Trials(3, 0), Trials(), False),
    ],
)
def test_a_smaller_share_is_a_fall(then: Trials, now: Trials, has_fallen: bool) -> None:
    sides = TwoSides(then, now)
    assert sides.has_fallen is has_fallen
    assert sides.exchanged == TwoSides(now, then)
    assert sides.with_failures(2) == TwoSides(then, Trials(now.passes, now.failures + 2))
    assert str(sides) == f"{then.passes}/{then.count} → {now.passes}/{now.count}"


@pytest.mark.parametrize(
    ("then", "now", "has_both"),
    [
        (Trials(), Trials(), False),
        (Trials(1, 0), Trials(), False),
        (Trials(), Trials(0, 1), False),
        (Trials(0, 1), Trials(1, 0), True),
    ],
)
def test_sides_are_held_against_each_other_where_each_has_trials(
    then: Trials, now: Trials, has_both: bool
) -> None:
    assert TwoSides(then, now).has_both is has_both
