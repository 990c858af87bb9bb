"""Filling an empty history from the result files that are there."""

import sqlite3
import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from evaltui.core.errors import UserError
from evaltui.core.result import CaseResult
from evaltui.core.suite_result import SuiteResult
from evaltui.disk.history.history_insert import insert_results
from evaltui.disk.history.history_values import require_numbers
from evaltui.disk.history.run_record import RunRecord
from evaltui.disk.results.result_file import read_suite_result
from evaltui.disk.results.results_folder import newest_first, read_head

_REBUILT = "rebuilt"
"""The counter that says when this was, in seconds since the epoch."""
MOST_FILES = 2_000
MOST_BYTES = 64 << 20
"""Beyond these only the newest file of each suite is read: opening must not take minutes."""


def rebuild(connection: sqlite3.Connection, output_dir: Path) -> None:
    """Record readable result files, oldest first, inside the caller's transaction."""
    runs: dict[str, list[tuple[SuiteResult, Path]]] = {}
    for path in _worth_reading(output_dir):
        with suppress(UserError, OSError):
            result = read_suite_result(path, brief=True)
            if result.suite and result.agent:
                runs.setdefault(result.run_id, []).append((result, path))
    now = time.time()
    in_order = sorted(runs.values(), key=lambda run: min(_when(result) for result, _ in run))
    for number, run in enumerate(in_order, 1):
        first = run[0][0]
        when = min(now, *(_when(result) for result, _ in run))
        record = RunRecord(first.run_id, number, first.agent, "", "completed", when, when)
        cases = (case for result, _ in run for case in result.cases)
        insert_results(connection, record, (_until(now, case) for case in cases))
        point_to(connection, output_dir, {(one.agent, one.suite): path for one, path in run})
    if in_order:
        connection.execute("INSERT OR REPLACE INTO counters VALUES(?,?)", (_REBUILT, now))


def rebuilt_at(connection: sqlite3.Connection) -> float:
    """When result files were last read into it, in seconds since the epoch: of what was before, it
    knows only what has a file. 0.0 where it never was."""
    wanted = "SELECT value FROM counters WHERE name=?"
    (found,) = connection.execute(wanted, (_REBUILT,)).fetchone() or (0.0,)
    require_numbers(found)
    return float(found)


def _until(now: float, case: CaseResult) -> CaseResult:
    """A file may come from a machine whose clock is ahead: what is made here is later all the
    same."""
    return replace(case, finished_at=now) if case.finished_at > now else case


def point_to(
    connection: sqlite3.Connection, output_dir: Path, files: dict[tuple[str, str], Path]
) -> None:
    """Remember the newest result file of each (agent, suite)."""
    connection.executemany(
        "INSERT OR REPLACE INTO files VALUES(?,?,?)",
        [
            (agent, suite, path.name if path.parent == output_dir else str(path))
            for (agent, suite), path in files.items()
        ],
    )


def _worth_reading(output_dir: Path) -> list[Path]:
    """The newest file of each suite, and others, newest first, while there are not too many."""
    newest: dict[tuple[str, str], Path] = {}
    others: list[tuple[int, Path]] = []
    for path in newest_first(output_dir):
        with suppress(OSError):
            head = read_head(path)
            of = (head.agent, head.suite) if head else ("", "")
            if head and newest.setdefault(of, path) != path:
                others.append((path.stat().st_size, path))
    paths = list(newest.values())
    total = 0
    for size, path in others[:MOST_FILES]:
        total += size
        if total > MOST_BYTES:
            break
        paths.append(path)
    return paths


def _when(result: SuiteResult) -> float:
    """Seconds since the epoch: by its newest case, else by its timestamp."""
    newest = max((case.finished_at for case in result.cases), default=0.0)
    with suppress(ValueError):
        return newest or datetime.fromisoformat(result.timestamp).timestamp()
    return newest
