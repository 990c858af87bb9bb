"""How far a change reaches on a board."""

from evaltui.core.case import CaseKey
from evaltui.core.staleness import Degree, StaleCase
from evaltui.store.reach import Reach


def stale(case: str, *reasons: str) -> StaleCase:
    return StaleCase(CaseKey("a.json", case), Degree.AFFECTED, reasons)


def test_how_far_a_change_reaches_is_said_with_its_most_frequent_first_reason() -> None:
    cases = [stale("1", "rare", "second"), stale("2", "often", "second")]
    assert Reach.of([*cases, stale("3", "often", "second")], 4) == Reach(3, 4, "often")
    assert Reach.of([], 4) == Reach(0, 4, "")
