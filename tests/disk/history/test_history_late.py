"""Two processes held the same case, and the one that finished later was recorded first."""

from pathlib import Path

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.inputs import Inputs
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.disk.history.history import History
from evaltui.disk.history.history_schema import KEPT
from evaltui.disk.history.run_record import RunRecord
from evaltui.store.row import STRIP_LENGTH
from tests.disk.evidence_table import Counted, counted

AGENT, KEY = "python/1", CaseKey("evals/a.scenario.json", "greets")
P, F = CaseStatus.PASSED, CaseStatus.FAILED


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History.open(tmp_path / ".evaltui", tmp_path / "results")


def record(history: History, run: int, at: float, status: CaseStatus = P) -> None:
    again = run < 0
    result = CaseResult(
        KEY, f"run-{run}", AGENT, status, passes=int(status is P), assertions_run=1,
        inputs=Inputs("case", checks={"polite": str(again)}), finished_at=at,
        was_judged_again=again,
    )  # fmt: skip
    history.record(RunRecord(f"run-{run}", abs(run), AGENT), (result,))


def runs(history: History) -> list[str]:
    return [entry.run_id for entry in history.entries(KEY, AGENT, 2 * KEPT)]


def test_it_stands_where_it_finished_and_the_newest_stays_the_last(history: History) -> None:
    record(history, 1, 1.0)
    record(history, 3, 3.0)
    record(history, 4, 4.0)
    record(history, 2, 2.0, F)
    assert runs(history) == ["run-4", "run-3", "run-2", "run-1"]
    known = history.last_results(AGENT)
    assert (known.results[0].run_id, known.strips) == ("run-4", ((P, F, P, P),))
    assert [point.run_id for point in history.timeline(AGENT)] == runs(history)
    record(history, 5, 5.0)
    assert runs(history)[:2] == ["run-5", "run-4"]
    history.close()


def test_it_is_evidence_once_however_often_it_is_recorded(history: History) -> None:
    record(history, 2, 2.0)
    for _ in range(2):
        record(history, 1, 1.0, F)
    assert runs(history) == ["run-2", "run-1"]
    assert counted(history, AGENT)[KEY] == (Counted(1, 1, 2.0, True),)
    history.close()


def test_it_takes_the_place_of_the_oldest_that_is_kept_and_is_none_before_that(
    history: History,
) -> None:
    for run in range(1, KEPT + 1):
        record(history, 2 * run, 2.0 * run)
    record(history, 5, 5.0, F)
    record(history, 1, 1.0, F)
    assert [name for name in runs(history) if int(name[4:]) < 10] == [
        "run-8",
        "run-6",
        "run-5",
        "run-4",
    ]
    assert len(runs(history)) == KEPT
    record(history, 1000, 1000.0)
    assert runs(history)[-1] == "run-5"
    assert history.last_results(AGENT).strips == ((P,) * STRIP_LENGTH,)
    history.close()


def test_an_answer_judged_again_is_that_of_the_result_before_it(history: History) -> None:
    record(history, 1, 1.0, F)
    record(history, 3, 3.0)
    record(history, -2, 1.5)
    record(history, -4, 1.5, F)
    by_checks = {(one.passed, one.failed) for one in counted(history, AGENT)[KEY]}
    assert runs(history) == ["run-3", "run--4", "run--2", "run-1"]
    assert by_checks == {(1, 1), (0, 1)}
    history.close()


def test_the_verdict_of_the_oldest_of_all_stands_first_in_the_strip(history: History) -> None:
    record(history, 2, 2.0)
    record(history, 3, 3.0)
    record(history, 1, 1.0, F)
    assert history.last_results(AGENT).strips == ((F, P, P),)
    history.close()
