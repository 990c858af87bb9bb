"""A history that a project brings along keeps nobody busy without end."""

import sqlite3
from pathlib import Path

import pytest

from evaltui.core.errors import Problem
from evaltui.disk.history import history_schema, query_limit
from evaltui.disk.history.history import History
from evaltui.disk.history.history_schema import FILE
from evaltui.disk.history.query_limit import EndlessError, limited

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT max(x) FROM c"


def endless_rows(folder: Path, number: int) -> None:
    """All in tables of ours, many times as much as any case has."""
    connection = sqlite3.connect(folder / FILE, isolation_level=None)
    with history_schema.transaction(connection):
        history_schema.create(connection)
        connection.execute("INSERT INTO cases VALUES(1, 'mine', 's', 'a')")
        connection.execute(
            "INSERT INTO latest VALUES(1, 5, 1, 'P', 'P', 1, 1, 1, '', '', 'f', 1, 2, NULL)"
        )
        connection.executemany(
            'INSERT INTO past("case", slot, seq, run, status, duration_ms, finished_at, error,'
            " passes, trials, same) VALUES(1, ?, 5, 1, 'P', 1, 2, '', 1, 1, 's')",
            ((slot,) for slot in range(number)),
        )
    connection.close()


def test_what_does_not_end_is_set_aside_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless_rows(tmp_path, 50_000)
    monkeypatch.setattr(query_limit, "LIMIT_S", 0.01)
    problems: list[Problem] = []
    history = History.open(tmp_path, tmp_path / "results", problems.append)
    assert history.next_number() == 1
    assert history.timeline("mine") == []
    assert history.next_number() == 1, "it was made anew"
    history.close()
    (problem,) = problems
    assert problem.code == "set-aside"
    assert "did not end within 0.01 s" in problem.what
    assert (tmp_path / f"{FILE}.damaged").is_file()


def test_only_what_is_asked_inside_is_limited() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    with limited(connection, 0.0), pytest.raises(sqlite3.OperationalError, match="interrupted"):
        connection.execute(ENDLESS).fetchone()
    with pytest.raises(EndlessError, match="within 0 s"), limited(connection, 0.0):
        connection.execute(ENDLESS).fetchone()
    assert connection.execute(f"{ENDLESS} LIMIT 0").fetchall() == []
    many = ENDLESS.replace("SELECT x+1 FROM c", "SELECT x+1 FROM c LIMIT 100000")
    assert connection.execute(many).fetchone() == (100_000,), "and nothing after it"
    with pytest.raises(sqlite3.OperationalError, match="syntax"), limited(connection):
        connection.execute("SELEC")
    connection.close()
