"""What a row of a pack tells beside its verdict."""

import pytest

from evaltui.core.statistics.trials import Trials
from evaltui.evidence.case_row import TRIALS, CaseRow


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
