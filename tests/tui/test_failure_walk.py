"""A walk goes through the failures it began with, and is over after the last."""

from evaltui.core.case import CaseKey
from evaltui.tui.failure_walk import FailureWalk

KEYS = [CaseKey("s", f"c{number}") for number in range(2)]


def test_a_walk_goes_from_the_first_to_the_last() -> None:
    walk = FailureWalk()
    assert (walk.key, walk.chip) == (None, "")
    walk.begin(KEYS)
    assert (walk.key, walk.chip) == (KEYS[0], "WALK 1/2")
    walk.next()
    assert (walk.key, walk.chip) == (KEYS[1], "WALK 2/2")
    walk.next()
    assert (walk.key, walk.chip) == (None, "")


def test_a_walk_can_be_left_and_begun_again() -> None:
    walk = FailureWalk()
    walk.begin(KEYS)
    walk.next()
    walk.stop()
    assert walk.key is None
    walk.begin(KEYS)
    assert walk.key == KEYS[0]
