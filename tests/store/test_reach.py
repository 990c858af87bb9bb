"""How far a change reaches on a board."""

from evaltui.core.case import CaseKey
from evaltui.core.staleness import Degree, StaleCase
from evaltui.store.reach import Reach


def stale(case: str, *reasons: str) -> StaleCase:
    return StaleCase(CaseKey("a.json", case), Degree.AFFECTED, reasons)


def test_how_far_a_change_reaches_is_said_with_its_most_frequent_first_reason() -> None:
    cases = [stale("1", "rare", "second"), stale("2", "often", "second")]
    assert Reach.of([*cases, stale("3", "often", "second")], 4) == Reach(4, 3, why="often")
    assert Reach.of([], 4) == Reach(4)


def test_certain_and_possible_are_counted_apart_and_cases_without_a_result_too() -> None:
    degrees = (Degree.AFFECTED, Degree.TO_JUDGE, Degree.POSSIBLY, Degree.NEVER_RUN)
    cases = [StaleCase(CaseKey("a.json", degree), degree, ("r",)) for degree in degrees]
    assert Reach.of(cases, 9) == Reach(9, 2, 1, 1, "r")
