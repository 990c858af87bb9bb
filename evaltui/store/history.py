"""Past runs, indexed in SQLite: the last known board, pass strips, durations, flakiness."""

import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Self, TypeVar

from evaltui.core.case import CaseKey
from evaltui.core.errors import EvaltuiError, Problem, Severity, UserError
from evaltui.core.events import RunFinished, RunStarted
from evaltui.core.record import dataclass
from evaltui.core.result import CaseResult, CaseStatus, SuiteResult
from evaltui.store import history_schema
from evaltui.store.atomic import safe_path, sweep
from evaltui.store.history_queries import HistoryEntry, durations, entries, flaky, last_results
from evaltui.store.history_rebuild import point_to, rebuild
from evaltui.store.history_recording import RunRecord, drop_unused_inputs, insert_results
from evaltui.store.journal import OPEN_SUFFIX, SUFFIX
from evaltui.store.journal_reading import find_finished
from evaltui.store.result_file import read_case_line, read_suite_result
from evaltui.store.results_folder import files_of_run

T = TypeVar("T")

FILE = "history.sqlite3"
_TIDY_EVERY = 50


class HistoryError(EvaltuiError):
    """The history cannot be used now: another process holds it, or the disk is full."""


@dataclass(frozen=True, slots=True)
class LastResults:
    """Light results (no verdicts, no response) and, in step, their recent verdicts."""

    results: tuple[CaseResult, ...]
    strips: tuple[tuple[CaseStatus, ...], ...]
    numbered: int
    """Number of the last run in this project folder."""


class History:
    """Synchronous, and safe from any thread; call it from a worker, not from the event loop.

    Methods raise HistoryError. A damaged file, and one of another version, is made anew from the
    result files.
    """

    def __init__(self, connection: sqlite3.Connection, folder: Path, output_dir: Path) -> None:
        self._connection = connection
        self._folder = folder
        self._output_dir = output_dir
        self._lock = threading.RLock()
        self._identity = _identity(folder / FILE)
        self.problem: Problem | None = None
        """Why nothing is remembered beyond this process, if so."""

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
        history = cls(connection, folder, output_dir)
        history.problem = problem
        return history

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def next_number(self) -> int:
        """The next run number of this folder, never given twice."""
        return self._guarded(self._next_number)

    def record(
        self,
        run: RunRecord,
        results: Iterable[CaseResult],
        files: Mapping[str, Path] | None = None,
    ) -> None:
        """Add a run's results in one transaction; `files` by suite. Recording twice adds nothing.

        Results carried over from earlier runs are known already and change nothing.
        """
        kept = tuple(results)

        def add() -> None:
            with self._transaction() as connection:
                insert_results(connection, run, kept)
                if files:
                    pointers = {(run.agent, suite): path for suite, path in files.items()}
                    point_to(connection, self._output_dir, pointers)
                if run.number % _TIDY_EVERY == 0:
                    drop_unused_inputs(connection)

        self._guarded(add)

    def record_finished(self, started: RunStarted, finished: RunFinished) -> None:
        """`record` from the two events of a run; `finished.files` in step with its suites."""
        files: dict[str, Path] = {}
        if len(finished.files) == len(finished.suites):
            for suite, path in zip(finished.suites, finished.files, strict=True):
                files[suite.suite] = Path(path)
        cases = (case for suite in finished.suites for case in suite.cases)
        self.record(RunRecord.of(started, finished), cases, files)

    def last_results(self, agent: str) -> LastResults:
        """The last known result of every case of one agent, in the order first heard of."""

        def read() -> LastResults:
            results, strips = last_results(self._connection, agent)
            return LastResults(results, strips, self._last_number())

        return self._guarded(read)

    def entries(self, key: CaseKey, agent: str, limit: int = 20) -> list[HistoryEntry]:
        """The last results of one case, newest first."""
        return self._guarded(lambda: entries(self._connection, key, agent, limit))

    def durations(self, agent: str) -> Mapping[CaseKey, float]:
        """Typical milliseconds of each case: a moving average, the last result weighs half."""
        return self._guarded(lambda: durations(self._connection, agent))

    def flaky(self, agent: str) -> frozenset[CaseKey]:
        """Cases that both passed and failed in their last ten results while nothing changed."""
        return self._guarded(lambda: flaky(self._connection, agent))

    def detail(self, key: CaseKey, agent: str) -> CaseResult | None:
        """The last result of a case with verdicts and response; `None` when its file is gone."""
        row = self._guarded(lambda: self._pointer(key, agent))
        if row is None:
            return None
        run_id, name = row
        if name:
            found = _from_result_file(self._output_dir / name, key)
            if found is not None and found.run_id == run_id:
                return found
        return self._journaled(key, run_id)

    def previous(self, key: CaseKey, agent: str) -> CaseResult | None:
        """The result before the last one, with verdicts and response; `None` when it is gone."""
        past = self.entries(key, agent, 2)
        if len(past) < 2:
            return None
        run_id = past[1].run_id
        for path in files_of_run(self._output_dir, run_id):
            found = _from_result_file(path, key)
            if found is not None and found.run_id == run_id:
                return found
        return self._journaled(key, run_id)

    def _journaled(self, key: CaseKey, run_id: str) -> CaseResult | None:
        for suffix in (SUFFIX, OPEN_SUFFIX):
            path = safe_path(self._folder / "runs", run_id, suffix=suffix)
            journaled = find_finished(path, key)
            if journaled is not None:
                return journaled
        return None

    def complete(self, result: SuiteResult) -> SuiteResult:
        """Give carried light cases their verdicts and responses back before they are written."""
        light = {
            case.key
            for case in result.cases
            if case.carried_from and case.response is None and not case.verdicts
        }
        if not light:
            return result
        row = self._guarded(lambda: self._file(result.agent, result.suite))
        if not row:
            return result
        try:
            before = read_suite_result(self._output_dir / row)
        except UserError:
            return result
        known = {case.key: case for case in before.cases}
        return replace(result, cases=tuple(_filled(case, known, light) for case in result.cases))

    def _pointer(self, key: CaseKey, agent: str) -> tuple[str, str] | None:
        found = self._connection.execute(
            "SELECT runs.run_id, files.path FROM cases"
            ' JOIN latest ON latest."case"=cases.id JOIN runs ON runs.id=latest.run'
            " LEFT JOIN files ON files.agent=cases.agent AND files.suite=cases.suite"
            " WHERE cases.agent=? AND cases.suite=? AND cases.name=?",
            (agent, key.suite, key.case),
        ).fetchone()
        return (found[0], found[1] or "") if found else None

    def _file(self, agent: str, suite: str) -> str:
        found = self._connection.execute(
            "SELECT path FROM files WHERE agent=? AND suite=?", (agent, suite)
        ).fetchone()
        return found[0] if found else ""

    def _last_number(self) -> int:
        row = self._connection.execute("SELECT value FROM counters WHERE name='run'").fetchone()
        return int(row[0])

    def _next_number(self) -> int:
        with self._transaction() as connection:
            connection.execute("UPDATE counters SET value=value+1 WHERE name='run'")
            return self._last_number()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self._connection
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def _guarded(self, operation: Callable[[], T]) -> T:
        """Run with the lock held; a damaged or replaced file is opened anew, once."""
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
        self._connection.close()
        self._folder.mkdir(parents=True, exist_ok=True)
        self._connection = _opened(self._folder / FILE, self._output_dir)
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
    if history_schema.is_current(connection):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not history_schema.is_current(connection):
            history_schema.create(connection)
            rebuild(connection, output_dir)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _identity(path: Path) -> tuple[int, int] | None:
    """Differs when another process has replaced the file under us."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _from_result_file(path: Path, key: CaseKey) -> CaseResult | None:
    try:
        return read_case_line(path, key)
    except (OSError, ValueError):
        return None


def _filled(
    case: CaseResult, known: Mapping[CaseKey, CaseResult], light: set[CaseKey]
) -> CaseResult:
    whole = known.get(case.key) if case.key in light else None
    if whole is None or whole.run_id != case.run_id:
        return case
    return replace(
        case,
        verdicts=whole.verdicts,
        response=whole.response,
        skipped_tokens=whole.skipped_tokens,
        attempts=whole.attempts,
        description=whole.description or case.description,
        error=whole.error,
    )
