"""The history file: opened in whatever state it is, and reopened when it is replaced."""

import sqlite3
import threading
from collections.abc import Callable
from errno import ENOSPC
from pathlib import Path
from typing import Self, TypeVar

from evaltui.core.errors import EvaltuiError, Problem, Severity
from evaltui.disk.atomic import sweep
from evaltui.disk.damage import Report, set_aside
from evaltui.disk.history import history_schema
from evaltui.disk.history.history_ours import require_ours
from evaltui.disk.history.history_rebuild import rebuild
from evaltui.disk.history.history_schema import FILE, LaterVersionError
from evaltui.disk.history.query_limit import limited
from evaltui.disk.own_folder import make_folder
from evaltui.files import open_file

T = TypeVar("T")


class HistoryError(EvaltuiError):
    """The history cannot be used now: another process holds it, or the disk is full."""


class HistoryFile:
    """One connection for all threads.

    A damaged file is set aside and made anew from the result files. One that a later version wrote
    is left as it is; what is known lives in memory then.
    """

    def __init__(self, folder: Path, output_dir: Path, report: Report) -> None:
        self.connection = _in_memory()
        """Another one after a reopening: use it inside `guarded` only."""
        self._is_in_memory = True
        self._is_refused = False
        """Whether nothing can be written to the folder."""
        self._report = report
        self._folder = folder
        self._output_dir = output_dir
        self._lock = threading.RLock()
        self._identity: tuple[int, int] | None = None
        self._was_locked = False

    @classmethod
    def open(cls, folder: Path, output_dir: Path, report: Report) -> Self:
        """As `History.open`."""
        # Once a session, not at every write: the folder may hold thousands of files.
        sweep(output_dir)
        sweep(folder, below=True)
        made = cls(folder, output_dir, report)
        if (folder / FILE).exists() or output_dir.exists():
            made._open_file()
        return made

    def close(self) -> None:
        with self._lock:
            self.connection.close()

    def guarded(self, operation: Callable[[], T], *, writes: bool = False) -> T:
        """Run with the lock held; a damaged or replaced file is opened anew, once.

        The file is made when first something `writes`: who only looks leaves nothing behind.
        Raises HistoryError.
        """
        with self._lock:
            is_awaited = self._is_in_memory and not self._is_refused
            if is_awaited and (writes or (self._folder / FILE).exists()):
                self._open_file()
            try:
                if not self._is_in_memory and _identity(self._folder / FILE) != self._identity:
                    self._reopen()
                try:
                    return self._in_time(operation, writes)
                except _ANY_DAMAGE as error:
                    if self._is_in_memory or not history_schema.is_damage(error):
                        raise
                    self.connection.close()
                    self._report(_set_aside(self._folder / FILE, error))
                    self._reopen()
                    with limited(self.connection):
                        return operation()
            except (*_ANY_DAMAGE, OSError) as error:
                raise HistoryError(
                    f"The history `{self._folder / FILE}` cannot be used: {error}. {_hint(error)}"
                ) from error

    def _in_time(self, operation: Callable[[], T], writes: bool) -> T:
        """Who waited in vain for another process does not wait as long again."""
        try:
            with limited(self.connection):
                done = operation()
        except sqlite3.OperationalError as error:
            if _is_locked(error):
                self._was_locked = True
                history_schema.wait_for_others(self.connection, history_schema.BUSY_STILL_S)
            raise
        if self._was_locked and writes:  # others may read meanwhile
            self._was_locked = False
            history_schema.wait_for_others(self.connection, history_schema.BUSY_S)
        return done

    def _open_file(self) -> None:
        """Change from memory to the file, made if need be; where that cannot be, stay."""
        path = self._folder / FILE
        try:
            make_folder(self._folder)
            connection = _opened(path, self._output_dir, self._report)
        except (OSError, sqlite3.Error) as error:
            self._is_refused = True
            with history_schema.transaction(self.connection):
                rebuild(self.connection, self._output_dir)
            self._report(
                Problem(
                    str(path),
                    f"the history cannot be written: {error}",
                    f"Results of this session are not remembered. {_hint(error)}",
                    severity=Severity.WARNING,
                    code="history",
                )
            )
            return
        self.connection.close()
        self.connection, self._is_in_memory = connection, False
        self._identity = _identity(path)

    def _reopen(self) -> None:
        self.connection.close()
        make_folder(self._folder)
        self.connection = _opened(self._folder / FILE, self._output_dir, self._report)
        self._identity = _identity(self._folder / FILE)


def _in_memory() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    with history_schema.transaction(connection):
        history_schema.create(connection)
    return connection


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


def _is_locked(error: Exception) -> bool:
    return "locked" in str(error)


def _hint(error: Exception) -> str:
    """What to do about it."""
    said = str(error)
    if _is_locked(error):
        return "Another program is using it: try again when that has ended."
    if "disk I/O" in said or "full" in said or getattr(error, "errno", None) == ENOSPC:
        return "Free some space on its disk."
    if isinstance(error, OSError) or "readonly" in said or "unable to open" in said:
        return "Check the folder's permissions."
    if isinstance(error, LaterVersionError):
        made = "it is rebuilt from the result files"
        return f"It is left as it is: use that version, or move the file away: {made}."
    return "Move it away if this persists: it is rebuilt from the result files."


def _set_aside(path: Path, error: Exception) -> Problem:
    hint = "The history is rebuilt from the result files; what they do not tell is not in it."
    return set_aside(path, error, hint, with_suffixes=("-wal", "-shm"))


def _fill(connection: sqlite3.Connection, output_dir: Path) -> None:
    """Make and fill the tables unless they are there; two processes do it once. Tables that know of
    no run are filled too: the disk may have been full at the first one's end.

    Raises LaterVersionError, ForeignError, EndlessError.
    """
    with limited(connection):
        require_ours(connection)
        version = history_schema.version_of(connection)
        if version == history_schema.VERSION and history_schema.knows_a_run(connection):
            return
    with history_schema.transaction(connection):
        version = history_schema.version_of(connection)
        if 2 <= version < history_schema.VERSION:
            with limited(connection):
                history_schema.upgrade(connection, version)
        elif version > history_schema.VERSION:
            raise LaterVersionError("a later version of evaltui wrote it")
        elif version != history_schema.VERSION:
            history_schema.create(connection)
        if not history_schema.knows_a_run(connection):
            rebuild(connection, output_dir)


def _identity(path: Path) -> tuple[int, int] | None:
    """Differs when another process has replaced the file under us."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
