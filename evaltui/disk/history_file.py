"""The file of the history: opened whatever state it is in, and again when it is replaced."""

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Self, TypeVar

from evaltui.core.errors import EvaltuiError, Problem, Severity
from evaltui.disk import history_schema
from evaltui.disk.atomic import sweep
from evaltui.disk.damage import Report, set_aside
from evaltui.disk.history_rebuild import rebuild
from evaltui.disk.history_schema import FILE
from evaltui.files import open_file

T = TypeVar("T")


class HistoryError(EvaltuiError):
    """The history cannot be used now: another process holds it, or the disk is full."""


class HistoryFile:
    """One connection for all threads.

    A damaged file is set aside and, as one of an unknown version, made anew from the result files.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        folder: Path,
        output_dir: Path,
        report: Report,
        *,
        in_memory: bool = False,
    ) -> None:
        self.connection = connection
        """Another one after a reopening: use it inside `guarded` only."""
        self._in_memory = in_memory
        self._report = report
        self._folder = folder
        self._output_dir = output_dir
        self._lock = threading.RLock()
        self._identity = _identity(folder / FILE)

    @classmethod
    def open(cls, folder: Path, output_dir: Path, report: Report) -> Self:
        """As `History.open`."""
        path = folder / FILE
        in_memory = False
        # Once a session, not at every write: the folder may hold thousands of files.
        sweep(output_dir)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            connection = _opened(path, output_dir, report)
        except (OSError, sqlite3.Error) as error:
            in_memory = True
            report(
                Problem(
                    str(path),
                    f"the history cannot be written: {error}",
                    "Results of this session are not remembered; check the folder's permissions.",
                    severity=Severity.WARNING,
                    code="history",
                )
            )
            connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            _fill(connection, output_dir)
        return cls(connection, folder, output_dir, report, in_memory=in_memory)

    def close(self) -> None:
        with self._lock:
            self.connection.close()

    def guarded(self, operation: Callable[[], T]) -> T:
        """Run with the lock held; a damaged or replaced file is opened anew, once.

        Raises HistoryError.
        """
        with self._lock:
            try:
                if not self._in_memory and _identity(self._folder / FILE) != self._identity:
                    self._reopen()
                try:
                    return operation()
                except _ANY_DAMAGE as error:
                    if self._in_memory or not history_schema.is_damage(error):
                        raise
                    self.connection.close()
                    self._report(_set_aside(self._folder / FILE, error))
                    self._reopen()
                    return operation()
            except (*_ANY_DAMAGE, OSError) as error:
                raise HistoryError(
                    f"The history `{self._folder / FILE}` cannot be used: {error}."
                ) from error

    def _reopen(self) -> None:
        self.connection.close()
        self._folder.mkdir(parents=True, exist_ok=True)
        self.connection = _opened(self._folder / FILE, self._output_dir, self._report)
        self._identity = _identity(self._folder / FILE)


def _opened(path: Path, output_dir: Path, report: Report) -> sqlite3.Connection:
    for attempt in (1, 2):
        connection = None
        try:
            if path.exists():
                open_file(path).close()
            connection = history_schema.connect(path)
            _fill(connection, output_dir)
            return connection
        except (*_ANY_DAMAGE, OSError) as error:
            if connection is not None:
                connection.close()
            if attempt == 2 or not history_schema.is_damage(error):
                raise
            report(_set_aside(path, error))
    raise AssertionError("unreachable")


_ANY_DAMAGE = (sqlite3.Error, ValueError, LookupError, TypeError, ArithmeticError)
"""What reading damaged rows raises, besides what SQLite itself finds."""


def _set_aside(path: Path, error: Exception) -> Problem:
    hint = "The history was made again from the result files; older results are not in it."
    return set_aside(path, error, hint, with_suffixes=("-wal", "-shm"))


def _fill(connection: sqlite3.Connection, output_dir: Path) -> None:
    """Make and fill the tables unless they are there; two processes do it once.

    Raises ValueError for a file of a later version: it is not ours to change.
    """
    if history_schema.version_of(connection) == history_schema.VERSION:
        return
    with history_schema.transaction(connection):
        version = history_schema.version_of(connection)
        if version == 2:
            history_schema.upgrade(connection)
        elif version > history_schema.VERSION:
            raise ValueError("a later version of evaltui wrote it")
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
