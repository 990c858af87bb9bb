"""An answer that is judged again is no other answer: not as evidence, nor as a latency."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.comparison import RunChanges
from evaltui.core.inputs import Inputs
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.disk.history.history import History
from evaltui.disk.history.history_schema import FILE
from evaltui.disk.history.run_record import RunRecord
from tests.disk.evidence_table import Counted, counted, drop_since_11

AGENT, KEY = "embedded/2", CaseKey("evals/a.golden.json", "a")


def opened(root: Path) -> History:
    return History.open(root / ".evaltui", root / "results")


def record(
    history: History,
    number: int,
    *,
    passes: int = 1,
    again: bool = False,
    check: str = "old",
    is_recorded: bool = False,
) -> None:
    name, status = f"run-{number}", CaseStatus.PASSED if passes else CaseStatus.FAILED
    result = CaseResult(
        KEY, name, AGENT, status, duration_ms=100.0 * number, passes=passes,
        inputs=Inputs("case", checks={"polite": check}), finished_at=float(number),
        assertions_run=1,
        was_counted=is_recorded, was_judged_again=again,
    )  # fmt: skip
    changes = RunChanges(as_before=1)
    history.record(RunRecord(name, number, AGENT, is_rejudging=again, changes=changes), (result,))


def typical_ms(history: History) -> float:
    return history.last_results(AGENT).results[0].typical_ms


def test_an_answer_is_evidence_once_for_each_inputs_as_it_was_judged_last(tmp_path: Path) -> None:
    history = opened(tmp_path)
    record(history, 1)
    record(history, 2)
    record(history, 3, again=True)
    assert counted(history, AGENT)[KEY] == (Counted(2, 0, 3.0, True),)
    record(history, 4, again=True, check="new", passes=0)
    record(history, 5, again=True, passes=0)
    assert counted(history, AGENT)[KEY] == (
        Counted(1, 1, 5.0, True),
        Counted(0, 1, 4.0, False),
    )
    record(history, 6)
    assert counted(history, AGENT)[KEY][0] == Counted(2, 1, 6.0, True)
    history.close()


def test_a_verdict_that_is_recorded_after_a_later_one_counts_for_nothing(tmp_path: Path) -> None:
    """Two processes judged the same answer again, and the first of them was slower."""
    history = opened(tmp_path)
    record(history, 1)
    record(history, 4, again=True, passes=0)
    record(history, 3, again=True, passes=0)
    record(history, 2, again=True)
    assert counted(history, AGENT)[KEY] == (Counted(0, 1, 4.0, True),)
    record(history, 5, again=True)
    assert counted(history, AGENT)[KEY] == (Counted(1, 0, 5.0, True),)
    history.close()


def test_no_count_falls_below_none(tmp_path: Path) -> None:
    """Where an answer's counts are gone, as of a history that somebody put together."""
    history = opened(tmp_path)
    record(history, 1)
    with closing(sqlite3.connect(tmp_path / ".evaltui" / FILE)) as connection, connection:
        connection.execute("UPDATE evidence SET passed=0")
    record(history, 2, again=True, passes=0)
    assert counted(history, AGENT)[KEY] == (Counted(0, 1, 2.0, True),)
    with closing(sqlite3.connect(tmp_path / ".evaltui" / FILE)) as connection, connection:
        connection.execute("DELETE FROM evidence")
    record(history, 3, again=True)
    assert counted(history, AGENT)[KEY] == (Counted(1, 0, 3.0, True),)
    history.close()


def test_a_replayed_answer_is_none_however_it_is_judged_and_whoever_reads_it_again(
    tmp_path: Path,
) -> None:
    history = opened(tmp_path)
    record(history, 1, is_recorded=True)
    (last,) = history.last_results(AGENT).results
    assert last.was_counted
    record(history, 2, again=True, passes=0, is_recorded=last.was_counted)
    assert counted(history, AGENT) == {}
    record(history, 3)
    (last,) = history.last_results(AGENT).results
    assert not last.was_counted
    history.close()


def test_an_answer_of_version_11_counts_once_too(tmp_path: Path) -> None:
    history = opened(tmp_path)
    record(history, 1)
    history.close()
    with closing(sqlite3.connect(tmp_path / ".evaltui" / FILE)) as connection:
        drop_since_11(connection)
        connection.execute("PRAGMA user_version=11")
    history = opened(tmp_path)
    for number in (2, 3):
        record(history, number, again=True, passes=0)
        assert counted(history, AGENT)[KEY] == (Counted(0, 1, float(number), True),)
    history.close()


def test_judging_again_teaches_nothing_of_how_long_an_answer_takes(tmp_path: Path) -> None:
    history = opened(tmp_path)
    record(history, 1)
    record(history, 2)
    assert typical_ms(history) == 150.0
    record(history, 3, again=True)
    assert typical_ms(history) == 150.0
    record(history, 4)
    assert typical_ms(history) == 275.0
    history.close()


@pytest.mark.parametrize("is_of_version_8", [False, True])
def test_an_entry_says_whether_somebody_was_asked(tmp_path: Path, *, is_of_version_8: bool) -> None:
    history = opened(tmp_path)
    record(history, 1)
    record(history, 2, again=True)
    history.close()
    if is_of_version_8:
        with closing(sqlite3.connect(tmp_path / ".evaltui" / FILE)) as connection:
            drop_since_11(connection)
            connection.execute("ALTER TABLE past DROP COLUMN rejudged")
            connection.execute("PRAGMA user_version=8")
    history = opened(tmp_path)
    assert [one.is_rejudging for one in history.entries(KEY, AGENT)] == [True, False]
    history.close()
