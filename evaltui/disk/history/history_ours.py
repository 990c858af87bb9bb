"""Whether a history file holds only what we wrote: any project folder may bring one along.

A view or trigger of another's may be a query without end that begins wherever its name is read.
"""

import sqlite3
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
    if foreign := sorted(str(name) for _, name, *_ in found - _ours()):
        raise ForeignError(f"it holds {foreign[0][:60]!a}, which evaltui did not make")


@cache
def _ours() -> frozenset[tuple[object, ...]]:
    """The statements that SQLite keeps, of each version: a new column changes its table's."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        known: set[tuple[object, ...]] = set()
        for statement in history_schema.SCHEMA.split(";"):
            connection.execute(statement)
            known |= _made(connection)
        return frozenset(known)
    finally:
        connection.close()


def _made(connection: sqlite3.Connection) -> set[tuple[object, ...]]:
    """By its statement, as SQLite goes by that: the type and the name beside it may be forged."""
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
    return {
        (kind, name, table, " ".join(sql.split()) if isinstance(sql, str) else sql)
        for kind, name, table, sql in rows
    }
