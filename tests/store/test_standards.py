"""What a case is held against: which pin is of before its result, and which failure moves it."""

import pytest
from msgspec.structs import replace

from evaltui.core.baseline import Baseline, BaselineCase, Change
from evaltui.core.case import RubricCase
from evaltui.core.proof import Proof, Standing
from evaltui.core.result import CaseStatus
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.store.row import Row
from evaltui.store.row_status import RowMark
from evaltui.store.standards import Standards, against_baseline
from tests.tui import scene

P, F, E = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR
SUITE = scene.suites(1)[0]
CASE = SUITE.cases[0]


@pytest.mark.parametrize(
    ("pinned_at", "run_id", "is_told"),
    [(8.0, "run-0", True), (9.0, "run-0", False), (10.0, "run-0", False), (8.0, "run-1", False)],
)
def test_a_pin_tells_what_a_run_did_where_it_is_older_than_the_result_and_not_of_its_run(
    pinned_at: float, run_id: str, is_told: bool
) -> None:
    made = replace(scene.result(CASE, F), run_id="run-1", finished_at=9.0)
    pin = Baseline(SUITE.id, run_id, "default", {CASE.id: BaselineCase(P)}, pinned_at)
    standards = Standards({SUITE.id: pin})
    row = Row(CASE.key, CASE, SUITE, made)
    assert standards.is_told_by(row) is is_told
    assert not standards.is_told_by(Row(CASE.key, CASE, SUITE))
    assert Standards().is_told_by(row), "nothing is pinned any more"


def test_what_a_model_judges_has_only_moved_though_the_agent_is_certain() -> None:
    rubric = replace(CASE, body=RubricCase("How is it?"))
    rows = [Row(CASE.key, one, SUITE, scene.result(CASE, F), baseline=BaselineCase(P))
            for one in (CASE, rubric)]  # fmt: skip
    for row in rows:
        Standards().mark(row)
    assert [row.against for row in rows] == [RowMark.REGRESSED, RowMark.MOVED]


def test_an_agent_that_becomes_a_sampled_one_has_all_marked_anew_of_which_trials_tell() -> None:
    """Also what passed as it was pinned, and is proven to do so less often."""
    pin, made = BaselineCase(P), scene.result(CASE, P)
    proof = Proof(CASE.key, TwoSides(), Standing.REGRESSED)
    proven = Row(CASE.key, CASE, SUITE, made, baseline=pin, proof=proof)
    fallen = Row(CASE.key, CASE, SUITE, scene.result(CASE, F), baseline=pin)
    untried = Row(CASE.key, CASE, SUITE, made, baseline=pin)
    rows = [proven, fallen, untried]
    standards = Standards()
    for row in rows:
        standards.mark(row)
    assert [row.against for row in rows] == [None, RowMark.REGRESSED, None]
    changed = [*standards.follow_sampling(True, rows)]
    for row in changed:
        standards.mark(row)
    assert [row.against for row in rows] == [RowMark.REGRESSED, RowMark.MOVED, None]
    assert changed == [proven, fallen], "the others stay as they are"
    assert [*standards.follow_sampling(True, rows)] == []


@pytest.mark.parametrize(
    ("status", "passes", "trials", "mark"),
    [
        (F, 0, 1, RowMark.MOVED),
        (F, 1, 3, RowMark.MOVED),
        (F, 2, 4, RowMark.MOVED),
        (F, 2, 3, None),
        (P, 1, 1, None),
        (E, 0, 1, None),
    ],
)
def test_what_was_pinned_with_a_slip_moves_once_no_more_attempts_pass_than_fail(
    status: CaseStatus, passes: int, trials: int, mark: RowMark | None
) -> None:
    made = replace(scene.result(CASE, status), passes=passes, trials=trials)
    proof = Proof(CASE.key, TwoSides(Trials(19, 1), Trials(1, 2)))
    assert against_baseline(Change.SAME, proof, made, may_differ=True) is mark
    assert against_baseline(Change.SAME, proof, made, may_differ=False) is None
    worse = replace(proof, standing=Standing.REGRESSED)
    assert against_baseline(Change.SAME, worse, made, may_differ=True) is RowMark.REGRESSED
    half = replace(proof, sides=TwoSides(Trials(10, 10), Trials(1, 2)))
    assert against_baseline(Change.SAME, half, made, may_differ=True) is None
