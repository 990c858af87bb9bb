"""A time limit on queries to a history: any project folder may bring one along, and its tables may
hold rows that a query never finishes with."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager

LIMIT_S = 20.0
"""Of the thread's own time: waiting for others, and a busy machine, do not count."""
_STEPS = 50_000
"""Of SQLite's machine, between two looks at the time: some thousandths of a second."""


class EndlessError(sqlite3.DatabaseError):
    """A question took longer than it may."""


@contextmanager
def limited(connection: sqlite3.Connection, seconds: float | None = None) -> Iterator[None]:
    """What is asked inside, all of it together, ends after `seconds`, else LIMIT_S.

    Raises EndlessError then.
    """
    most = LIMIT_S if seconds is None else seconds
    began = time.thread_time()
    connection.set_progress_handler(lambda: time.thread_time() - began > most, _STEPS)
    try:
        yield
    except sqlite3.OperationalError as error:
        # What Python itself finds in a row has no name.
        if getattr(error, "sqlite_errorname", "") == "SQLITE_INTERRUPT":
            raise EndlessError(f"a question to it did not end within {most:g} s") from None
        raise
    finally:
        connection.set_progress_handler(None, 0)
