"""Past runs, indexed in SQLite: the last known board, pass strips, durations, flakiness."""

from collections.abc import Callable, Collection, Container, Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Self

from msgspec import Struct

from evaltui.core.case import CaseKey
from evaltui.core.comparison import GoesOn, ReportedEffect, StoodBefore
from evaltui.core.events import RunFinished, RunStarted
from evaltui.core.proof import Proof
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.suite_result import SuiteResult
from evaltui.disk.damage import Report, ignore
from evaltui.disk.history.history_attempts import has_attempts, insert_attempts
from evaltui.disk.history.history_before import stood_before
from evaltui.disk.history.history_file import HistoryFile
from evaltui.disk.history.history_insert import drop_unused_inputs, insert_results
from evaltui.disk.history.history_queries import (
    HistoryEntry,
    agents,
    entries,
    files_in_use,
    keys,
    last_number,
    last_results,
    newest_at,
    rows_of,
    runs_of,
)
from evaltui.disk.history.history_rebuild import point_to, rebuilt_at
from evaltui.disk.history.history_runs import runs
from evaltui.disk.history.history_schema import transaction
from evaltui.disk.history.history_timeline import TimelinePoint, timeline, with_trigger
from evaltui.disk.history.kept_answers import KeptAnswers
from evaltui.disk.history.known_trials import KnownTrials
from evaltui.disk.history.past_results import PastResults, results_between, runs_of_suites
from evaltui.disk.history.run_record import RunRecord
from evaltui.disk.last_run import LastRun, last_run
from evaltui.disk.results.result_file import read_suite_result
from evaltui.disk.results.results_folder import find_result
from evaltui.disk.results.results_pruning import prune_results

_TIDY_EVERY = 50
_MOST_LOOKED_AT = 50
"""Journals of more runs are not kept."""


class LastResults(Struct, frozen=True):
    """Light results (no verdicts, no response) and, in step, their recent verdicts."""

    results: tuple[CaseResult, ...]
    strips: tuple[tuple[CaseStatus, ...], ...]
    numbered: int
    """Number of the last run in this project folder."""


class History(KeptAnswers):
    """Synchronous, and safe from any thread; call it from a worker, not from the event loop.

    Methods raise HistoryError. A damaged file is set aside and made anew from the result files; one
    that a later version wrote is left as it is.
    """

    def __init__(self, file: HistoryFile, folder: Path, output_dir: Path) -> None:
        super().__init__(file, folder, output_dir)
        self.trials = KnownTrials(file)

    @classmethod
    def open(cls, folder: Path, output_dir: Path, report: Report = ignore) -> Self:
        """Open `folder/history.sqlite3`; it is made by the first run.

        `report` hears of a damaged file, which is set aside, also later. Where nothing can be
        written the history lives in memory, filled from the result files, and that is said too.
        """
        return cls(HistoryFile.open(folder, output_dir, report), folder, output_dir)

    def close(self) -> None:
        self._file.close()

    def newest_at(self) -> float:
        """When the newest result was made, in seconds since the epoch; 0.0 without one."""
        return self._file.guarded(lambda: newest_at(self._file.connection))

    def rebuilt_at(self) -> float:
        """When it was made anew from the result files, in seconds since the epoch; 0.0: never."""
        return self._file.guarded(lambda: rebuilt_at(self._file.connection))

    def next_number(self) -> int:
        """The next run number of this folder, never given twice."""
        return self._file.guarded(self._next_number, writes=True)

    def record(
        self,
        run: RunRecord,
        results: Iterable[CaseResult],
        files: Mapping[str, Path] | None = None,
        reported: Callable[[CaseResult], ReportedEffect | None] = lambda _: None,
        attempts: Iterable[CaseResult] = (),
    ) -> None:
        """Add a run's results in one transaction; `files` by suite, `reported` says what the run
        told of one, `attempts` are those at cases that it did not finish. Recording twice adds
        nothing.

        Results carried over from earlier runs are known already and change nothing.
        """
        kept = tuple(results)

        def add() -> None:
            connection = self._file.connection
            with transaction(connection):
                insert_results(connection, run, kept, reported)
                insert_attempts(connection, run.run_id, attempts)
                if files:
                    pointers = {(run.agent, suite): path for suite, path in files.items()}
                    point_to(connection, self._output_dir, pointers)
                if run.number % _TIDY_EVERY == 0:
                    drop_unused_inputs(connection)

        self._file.guarded(add, writes=True)

    def record_finished(
        self,
        started: RunStarted,
        finished: RunFinished,
        recorded: Container[CaseKey] = (),
        others: Iterable[CaseResult] = (),
        reported: Callable[[CaseResult], ReportedEffect | None] = lambda _: None,
        muted: tuple[str, ...] | None = None,
        goes_on: GoesOn | None = None,
        proofs: tuple[Proof, ...] = (),
        attempts: Iterable[CaseResult] = (),
    ) -> None:
        """`record` from the two events of a run; `finished.files` in step with its suites.

        `recorded`: cases of this run whose results are there already. `others`: results of this
        run whose cases are not in its suites any more. `muted`: what was muted then.
        `goes_on`: the runs of the same save before it. `proofs`: of the cases marked then.
        `attempts`: as of `record`.
        """
        files: dict[str, Path] = {}
        if len(finished.files) == len(finished.suites):
            for suite, path in zip(finished.suites, finished.files, strict=True):
                files[suite.suite] = Path(path)
        cases = (
            case for suite in finished.suites for case in suite.cases if case.key not in recorded
        )
        run = RunRecord.of(started, finished, muted, goes_on, proofs)
        self.record(run, chain(cases, others), files, reported, attempts)

    def checkpoint(self) -> None:
        """Move what was recorded from the write-ahead log into the file, as `close` would."""
        self._file.guarded(
            lambda: self._file.connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        )

    def last_results(self, agent: str, keys: Collection[CaseKey] | None = None) -> LastResults:
        """The last known result of every case of one agent, or of these, in the order first heard
        of; cases without one are left out."""

        def read() -> LastResults:
            connection = self._file.connection
            only = None if keys is None else rows_of(connection, agent, keys)
            results, strips = last_results(connection, agent, only)
            return LastResults(results, strips, last_number(connection))

        return self._file.guarded(read)

    def stood_before(
        self, agent: str, now: Mapping[CaseKey, CaseResult | None], number: int
    ) -> tuple[StoodBefore, ...]:
        """What cases had come to before the run of that number, of those that have a result since;
        `now` is their last one."""
        return self._file.guarded(lambda: stood_before(self._file.connection, agent, now, number))

    def agents(self) -> tuple[str, ...]:
        """Agents that results are known of, the one that ran last first."""
        return self._file.guarded(lambda: agents(self._file.connection))

    def entries(self, key: CaseKey, agent: str, limit: int = 20) -> list[HistoryEntry]:
        """The last results of one case, newest first."""
        return self._file.guarded(lambda: entries(self._file.connection, key, agent, limit))

    def keys(self, agent: str) -> list[CaseKey]:
        """Of all cases that results of it are known of, in the order first heard of; whether or not
        they are there still."""
        return self._file.guarded(lambda: keys(self._file.connection, agent))

    def previous(self, key: CaseKey, agent: str) -> CaseResult | None:
        """The result before the last one, with verdicts and response; `None` when it is gone."""
        past = self.entries(key, agent, 2)
        if len(past) < 2:
            return None
        return self.whole(key, past[1].run_id)

    def timeline(self, agent: str, muted: Collection[str] = ()) -> list[TimelinePoint]:
        """The last runs of one agent as points in time, newest first; `muted`: `suite::case`."""
        found = self._file.guarded(lambda: timeline(self._file.connection, agent, muted))
        return [with_trigger(point, self._journals) for point in found]

    def runs(self, agent: str) -> list[TimelinePoint]:
        """The points of one agent, and the runs among them that ended before any case finished."""
        return self._file.guarded(lambda: runs(self._file.connection, agent))

    def results_between(
        self, agent: str, before: TimelinePoint | None, at: TimelinePoint
    ) -> PastResults:
        """Results at one point and what is another at a later one; without `before` what `at`'s
        own run found, and what was known before it."""
        return self._file.guarded(lambda: results_between(self._file.connection, agent, before, at))

    def suites_at(
        self, agent: str, at: TimelinePoint, suites: Collection[str]
    ) -> list[SuiteResult]:
        """Suites as they stood at a point, each as the file of its last run before has it.

        Raises UserError when such a file is gone.
        """
        runs = self._file.guarded(lambda: runs_of_suites(self._file.connection, agent, at))
        return [
            read_suite_result(find_result(self._output_dir, run_id, suite))
            for suite, run_id in runs.items()
            if suite in suites
        ]

    def last_run(self, agent: str) -> LastRun | None:
        """The agent's last run and what is left of it; `None` when none is known."""
        ids = self._file.guarded(lambda: runs_of(self._file.connection, agent, _MOST_LOOKED_AT))
        found = last_run(self._journals, ids)
        if found is None or not self._has_attempts(found.started.run_id):
            return found
        return found.with_counted_attempts()

    def _has_attempts(self, run_id: str) -> bool:
        return self._file.guarded(lambda: has_attempts(self._file.connection, run_id))

    def prune_results(self, keep_runs: int, baseline_run_id: str | None = None) -> None:
        """Remove result files of runs long past, but for those that something is known by."""
        in_use = self._file.guarded(lambda: files_in_use(self._file.connection))
        prune_results(self._output_dir, keep_runs, in_use | {baseline_run_id or ""})

    def _next_number(self) -> int:
        connection = self._file.connection
        with transaction(connection):
            connection.execute("UPDATE counters SET value=value+1 WHERE name='run'")
            return last_number(connection)
