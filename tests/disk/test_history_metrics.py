"""What was measured is kept of every past result, and unknown where an earlier version wrote it."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from evaltui.core.case import CaseKey
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.disk.history.history import History
from evaltui.disk.history.history_schema import FILE
from evaltui.disk.history.run_record import RunRecord
from tests.disk.evidence_table import drop_since_11

AGENT, KEY = "embedded/2", CaseKey("evals/a.golden.json", "a")


def record(history: History, number: int, metrics: Mapping[str, float]) -> None:
    name = f"run-{number}"
    result = CaseResult(
        KEY, name, AGENT, CaseStatus.PASSED, finished_at=float(number), metrics=metrics
    )
    history.record(RunRecord(name, number, AGENT), (result,))


def opened(root: Path) -> History:
    return History.open(root / ".evaltui", root / "results")


def test_each_past_result_has_what_was_measured_then(tmp_path: Path) -> None:
    history = opened(tmp_path)
    for number, metrics in enumerate(({"m": 1.5}, {}, {"m": 3.0, "n": -1.0}), 1):
        record(history, number, metrics)
    history.close()
    history = opened(tmp_path)
    found = [one.metrics for one in history.entries(KEY, AGENT)]
    assert found == [{"m": 3.0, "n": -1.0}, {}, {"m": 1.5}]
    history.close()


def test_of_results_of_version_6_it_is_not_known(tmp_path: Path) -> None:
    history = opened(tmp_path)
    record(history, 1, {"m": 1.0})
    history.close()
    with closing(sqlite3.connect(tmp_path / ".evaltui" / FILE)) as connection:
        for column in ("metrics", "rejudged"):
            connection.execute(f"ALTER TABLE past DROP COLUMN {column}")
        drop_since_11(connection)
        connection.execute("DROP TABLE saved")
        connection.execute("PRAGMA user_version=6")
    history = opened(tmp_path)
    record(history, 2, {})
    assert [one.metrics for one in history.entries(KEY, AGENT)] == [{}, None]
    history.close()
