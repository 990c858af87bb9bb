"""The file of the history: opened whatever state it is in, and again when it is replaced."""

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self, TypeVar

from evaltui.core.errors import EvaltuiError, Problem, Severity
from evaltui.disk import history_schema
from evaltui.disk.atomic import sweep
from evaltui.disk.history_rebuild import rebuild
from evaltui.disk.history_schema import FILE

T = TypeVar("T")


class HistoryError(EvaltuiError):
    """The history cannot be used now: another process holds it, or the disk is full."""


class HistoryFile:
    """One connection for all threads.

    A damaged file, and one of another version, is made anew from the result files.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        folder: Path,
        output_dir: Path,
        problem: Problem | None = None,
    ) -> None:
        self.connection = connection
        """Another one after a reopening: use it inside `guarded` only."""
        self.problem = problem
        """Why nothing is remembered beyond this process, if so."""
        self._folder = folder
        self._output_dir = output_dir
        self._lock = threading.RLock()
        self._identity = _identity(folder / FILE)

    @classmethod
    def open(cls, folder: Path, output_dir: Path) -> Self:
        """Open `folder/history.sqlite3`, made if need be.

        Where nothing can be written it lives in memory, filled from the result files, and
        `problem` says so.
        """
        path = folder / FILE
        problem = None
        # Once a session, not at every write: the folder may hold thousands of files.
        sweep(output_dir)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            connection = _opened(path, output_dir)
        except (OSError, sqlite3.Error) as error:
            problem = Problem(
                str(path),
                f"the history cannot be written: {error}",
                "Results of this session will not be remembered; check the folder's permissions.",
                severity=Severity.WARNING,
                code="history",
            )
            connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            _fill(connection, output_dir)
        return cls(connection, folder, output_dir, problem)

    def close(self) -> None:
        with self._lock:
            self.connection.close()

    def guarded(self, operation: Callable[[], T]) -> T:
        """Run with the lock held; a damaged or replaced file is opened anew, once.

        Raises HistoryError.
        """
        with self._lock:
            try:
                if self.problem is None and _identity(self._folder / FILE) != self._identity:
                    self._reopen()
                try:
                    return operation()
                except sqlite3.DatabaseError as error:
                    if self.problem is not None or not history_schema.is_damage(error):
                        raise
                    history_schema.remove(self._folder / FILE)
                    self._reopen()
                    return operation()
            except (sqlite3.Error, OSError) as error:
                raise HistoryError(
                    f"The history `{self._folder / FILE}` cannot be used: {error}."
                ) from error

    def _reopen(self) -> None:
        self.connection.close()
        self._folder.mkdir(parents=True, exist_ok=True)
        self.connection = _opened(self._folder / FILE, self._output_dir)
        self._identity = _identity(self._folder / FILE)


def _opened(path: Path, output_dir: Path) -> sqlite3.Connection:
    for attempt in (1, 2):
        connection = None
        try:
            connection = history_schema.connect(path)
            _fill(connection, output_dir)
            return connection
        except sqlite3.DatabaseError as error:
            if connection is not None:
                connection.close()
            if attempt == 2 or not history_schema.is_damage(error):
                raise
            history_schema.remove(path)
    raise AssertionError("unreachable")


def _fill(connection: sqlite3.Connection, output_dir: Path) -> None:
    """Make and fill the tables unless they are there; two processes do it once."""
    if history_schema.version_of(connection) == history_schema.VERSION:
        return
    with history_schema.transaction(connection):
        version = history_schema.version_of(connection)
        if version == 2:
            history_schema.upgrade(connection)
        elif version != history_schema.VERSION:
            history_schema.create(connection)
            rebuild(connection, output_dir)


def _identity(path: Path) -> tuple[int, int] | None:
    """Differs when another process has replaced the file under us."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
