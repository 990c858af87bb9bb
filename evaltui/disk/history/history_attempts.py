"""What runs made of cases that they did not finish: attempts that are evidence without a result."""

import sqlite3
from collections.abc import Iterable

from evaltui.core.case import CaseKey
from evaltui.core.result import CaseResult
from evaltui.disk.history.history_evidence import add, added
from evaltui.disk.history.history_schema import clean
from evaltui.disk.history.shared_inputs import SamePrints


def insert_attempts(
    connection: sqlite3.Connection, run_id: str, attempts: Iterable[CaseResult]
) -> None:
    """Count them, once for each run, which is known already."""
    mine = tuple(attempts)
    if not mine or has_attempts(connection, run_id):
        return
    connection.execute("INSERT INTO unfinished SELECT id FROM runs WHERE run_id=?", (run_id,))
    prints = SamePrints()
    for one in mine:
        case = _case(connection, one.agent, one.key)
        add(connection, added(connection, case, 0, one, prints.shape(one.inputs)).rows)


def has_attempts(connection: sqlite3.Connection, run_id: str) -> bool:
    """Whether those of this run are counted; earlier versions counted none."""
    wanted = "SELECT 1 FROM unfinished JOIN runs ON id=run WHERE run_id=?"
    return connection.execute(wanted, (run_id,)).fetchone() is not None


def _case(connection: sqlite3.Connection, agent: str, key: CaseKey) -> int:
    """The row of a case, which may never have finished."""
    named = (agent, clean(key.suite), clean(key.case))
    connection.execute("INSERT OR IGNORE INTO cases(agent, suite, name) VALUES(?,?,?)", named)
    wanted = "SELECT id FROM cases WHERE agent=? AND suite=? AND name=?"
    return int(connection.execute(wanted, named).fetchone()[0])
