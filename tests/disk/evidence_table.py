"""What the history counted, as it stands in its table."""

import sqlite3
from typing import NamedTuple

from evaltui.core.case import CaseKey
from evaltui.disk.history.history import History


class Counted(NamedTuple):
    """How often a case passed and failed with the very same inputs, over all runs."""

    passed: int
    failed: int
    finished_at: float
    """When the last of these attempts ended."""
    is_current: bool
    """Whether these are the inputs of the case's last result."""


def counted(history: History, agent: str) -> dict[CaseKey, tuple[Counted, ...]]:
    """By case; the newest inputs first."""
    rows = history._file.connection.execute(
        "SELECT suite, name, passed, failed, evidence.finished_at, evidence.inputs=newest.same"
        ' FROM cases JOIN evidence ON evidence."case"=cases.id'
        ' JOIN latest ON latest."case"=cases.id'
        ' JOIN past newest ON newest."case"=cases.id AND newest.seq=latest.seq'
        " WHERE agent=? ORDER BY cases.id, evidence.finished_at DESC",
        (agent,),
    )
    found: dict[CaseKey, tuple[Counted, ...]] = {}
    for suite, name, passed, failed, at, is_current in rows:
        key = CaseKey(suite, name)
        found[key] = (*found.get(key, ()), Counted(passed, failed, at, bool(is_current)))
    return found


def drop_since_11(connection: sqlite3.Connection) -> None:
    """What version 11 did not have yet."""
    drop_since_13(connection)
    for column in ("past.made_passes", "past.made_failures", "discounted.seen_until"):
        table, name = column.split(".")
        connection.execute(f"ALTER TABLE {table} DROP COLUMN {name}")
    connection.execute("DROP TABLE unfinished")


def drop_since_13(connection: sqlite3.Connection) -> None:
    """What version 13 did not have yet."""
    connection.execute("ALTER TABLE past DROP COLUMN planned")
