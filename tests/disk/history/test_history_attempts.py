"""Attempts of a run at cases that it did not finish count once, and those of each run."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.inputs import Inputs
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.statistics.trials import Trials
from evaltui.disk.history.history import History
from evaltui.disk.history.history_attempts import has_attempts
from evaltui.disk.history.run_record import RunRecord
from evaltui.disk.history.shared_inputs import SamePrints

P, F, E = CaseStatus.PASSED, CaseStatus.FAILED, CaseStatus.ERROR
AGENT, INPUTS = "mine", Inputs(case="c0ffee")
KEYS = tuple(CaseKey("evals/a.json", name) for name in ("first", "second"))


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    opened = History.open(tmp_path / ".evaltui", tmp_path / "results")
    yield opened
    opened.close()


def attempt(key: CaseKey, status: CaseStatus, trial: int = 0, agent: str = AGENT) -> CaseResult:
    return CaseResult(
        *(key, "run-1", agent, status), assertions_run=1, inputs=INPUTS, trial=trial,
        passes=int(status is P),
    )  # fmt: skip


def record(history: History, run_id: str, *attempts: CaseResult) -> None:
    number = int(run_id.removeprefix("run-"))
    history.record(RunRecord(run_id, number, AGENT, "", "cancelled"), (), attempts=attempts)


def counted(history: History, key: CaseKey, agent: str = AGENT) -> Trials:
    of = key, SamePrints().of(INPUTS)
    return history.trials.of(agent, [of]).get(of, Trials())


def is_counted(history: History, run_id: str) -> bool:
    connection = history._file.connection
    return has_attempts(connection, run_id)


def test_each_attempt_counts_of_cases_that_never_finished_too(history: History) -> None:
    first, second = KEYS
    record(history, "run-1", attempt(first, P), attempt(first, F, 1), attempt(second, E))
    assert counted(history, first) == Trials(1, 1)
    assert counted(history, second) == Trials(), "errors are no trials"
    assert is_counted(history, "run-1")
    assert not is_counted(history, "run-2")


def test_those_of_a_run_count_once_and_those_of_another_besides(history: History) -> None:
    first, _ = KEYS
    for _ in range(2):
        record(history, "run-1", attempt(first, F))
    assert counted(history, first) == Trials(0, 1)
    record(history, "run-2", attempt(first, P))
    assert counted(history, first) == Trials(1, 1)


def test_a_run_without_any_may_tell_them_later(history: History) -> None:
    first, _ = KEYS
    record(history, "run-1")
    assert not is_counted(history, "run-1")
    record(history, "run-1", attempt(first, F))
    assert is_counted(history, "run-1")
    assert counted(history, first) == Trials(0, 1)


def test_those_of_another_agent_are_apart(history: History) -> None:
    first, _ = KEYS
    record(history, "run-1", attempt(first, F), attempt(first, P, agent="other"))
    assert counted(history, first) == Trials(0, 1)
    assert counted(history, first, "other") == Trials(1, 0)
