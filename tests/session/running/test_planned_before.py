"""What was planned of a case that was run again because of what it had come to."""

from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.former_prints import FormerPrints
from evaltui.core.inputs import Inputs
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.statistics.trials import Planned, Trials
from evaltui.session.running.planned_before import PlannedBefore
from tests.session.priced import KEYS, board

FELL = CaseResult(
    *(KEYS[0], "run-1", "any", CaseStatus.FAILED), assertions_run=1, inputs=Inputs(case="now")
)
PASSED = replace(FELL, run_id="run-2", status=CaseStatus.PASSED, passes=1)
ONCE = Planned(Trials(0, 1))


def planned(before: CaseResult | None, result: CaseResult = PASSED) -> Planned | None:
    shown = board(1.0, None)
    shown.rows[KEYS[0]].result = before
    cases = SimpleNamespace(former_prints=FormerPrints.of([("then", "now")]))
    return PlannedBefore(shown, cases).of(result).planned


def test_what_it_had_come_to_stays_what_was_planned_of_it() -> None:
    assert planned(FELL) == ONCE
    assert planned(replace(FELL, planned=Planned(Trials(1, 1)))) == Planned(Trials(1, 1))
    earlier = replace(FELL, inputs=Inputs(case="then"))
    assert planned(earlier) == ONCE, "an earlier version told the same case otherwise"


@pytest.mark.parametrize(
    "before",
    [
        None,
        replace(FELL, status=CaseStatus.ERROR),
        replace(FELL, inputs=Inputs(case="another")),
        replace(FELL, inputs=Inputs()),
    ],
    ids=["it never ran", "it was not judged", "it is another case now", "nobody knows its inputs"],
)
def test_else_it_is_a_trial_that_was_planned_as_any(before: CaseResult | None) -> None:
    assert planned(before) is None


def test_of_a_case_that_went_meanwhile_nothing_is_known() -> None:
    assert planned(FELL, replace(PASSED, key=CaseKey("a.json", "gone"))) is None
