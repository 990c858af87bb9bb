"""What a row of a pack tells beside its verdict."""

from pathlib import Path

import pytest

from evaltui.core.statistics.trials import Trials
from evaltui.evidence.case_row import TRIALS, CaseRow
from evaltui.evidence.compared.comparing import compare
from evaltui.evidence.compared.side import Side


@pytest.mark.parametrize(
    ("asserted", "judged", "lost"),
    [
        ({TRIALS: ("second", "third")}, Trials(2, 0), 1),
        ({TRIALS: ("second", "third")}, Trials(1, 2), 0),
        ({TRIALS: ("second",)}, Trials(4, 1), 0),
        ({}, Trials(1, 0), 0),
        (None, Trials(2, 0), 0),
    ],
    ids=["one erred", "none erred", "further ones were made", "a single one", "not known"],
)
def test_attempts_that_were_asked_for_and_not_judged(
    asserted: dict[str, tuple[str, ...]] | None, judged: Trials, lost: int
) -> None:
    assert CaseRow("c", True, asserted=asserted, attempts=judged).lost == lost


def test_a_pack_of_which_a_case_lost_an_attempt_tells_what_the_others_lost_and_gained() -> None:
    asserted = {TRIALS: ("second", "third")}

    def side(**judged: Trials) -> Side:
        rows = {
            name: CaseRow(name, not one.failures, asserted=asserted, attempts=one)
            for name, one in judged.items()
        }
        return Side(Path(), {"total_cases": 2, "pass_rate": 1.0, "hard_fail_rate": 0.0}, {}, rows)

    before = side(cut=Trials(3, 0), fell=Trials(3, 0))
    paired = compare(before, side(cut=Trials(2, 0), fell=Trials(2, 1)), reference={})["paired"]
    assert (paired["lost"], paired["gained"], paired["lost_and_gained_left_out"]) == (1, 0, 1)
