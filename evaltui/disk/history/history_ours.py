"""Whether a history file holds only what we wrote: any project folder may bring one along.

A view or trigger of another's may be a query without end that begins wherever its name is read.
"""

import sqlite3
from contextlib import closing
from functools import cache

from evaltui.disk.history import history_schema
from evaltui.disk.history.history_schema import ForeignError


def require_ours(connection: sqlite3.Connection) -> None:
    """Whether every table and index is one that some version up to this one makes.

    A later version's is not judged: who opens it asks for its version. Raises ForeignError.
    """
    # Before any query of a table; the version after it, as others may upgrade meanwhile.
    found = _made(connection)
    if history_schema.version_of(connection) > history_schema.VERSION:
        return
    if found <= _of_this_version():  # the usual one, before the first frame too
        return
    if foreign := sorted(str(name) for _, name, *_ in found - _of_each_version()):
        raise ForeignError(f"it holds {foreign[0][:60]!a}, which evaltui did not make")


@cache
def _of_this_version() -> frozenset[tuple[object, ...]]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript(history_schema.SCHEMA)
        return frozenset(_made(connection))


@cache
def _of_each_version() -> frozenset[tuple[object, ...]]:
    """The statements that SQLite keeps: a new column changes its table's. To look after each step
    takes twice as long."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        known: set[tuple[object, ...]] = set()
        for statement in history_schema.SCHEMA.split(";"):
            connection.execute(statement)
            known |= _made(connection)
        return frozenset(known)


def _made(connection: sqlite3.Connection) -> set[tuple[object, ...]]:
    """By its statement, as SQLite goes by that: the type and the name beside it may be forged."""
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
    return {
        (kind, name, table, " ".join(sql.split()) if isinstance(sql, str) else sql)
        for kind, name, table, sql in rows
    }
