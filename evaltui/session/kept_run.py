"""What is kept of one run: its result files, and its part of the history."""

import asyncio
import time
from collections.abc import Iterable
from pathlib import Path

from evaltui.core.baseline import Comparison
from evaltui.core.case import CaseKey
from evaltui.core.comparison import is_told_by_calls
from evaltui.core.config import Config
from evaltui.core.errors import UserError
from evaltui.core.events import RunEnd, RunFinished, RunStarted
from evaltui.core.result import CaseResult
from evaltui.core.suite import Suite
from evaltui.disk.history_file import HistoryError
from evaltui.disk.history_writer import HistoryWriter
from evaltui.disk.results_folder import write_results
from evaltui.runner import run_problems
from evaltui.session.project_state import ProjectState
from evaltui.session.suite_results import SuiteResults
from evaltui.store.board import Board

_PRUNED_EVERY = 10
"""Runs between looks at the folder of results for what is too old."""


class KeptRun:
    """Gets every result as it comes, and writes at the end whatever is not written yet."""

    def __init__(
        self,
        started: RunStarted,
        results: SuiteResults,
        board: Board,
        state: ProjectState,
        config: Config,
    ) -> None:
        """`config`: the settings as they were when the run was made."""
        self._started = started
        self._results = results
        self._board = board
        self._config = config
        self._history = state.record.history
        self._events = state.events
        self._writer = HistoryWriter(self._history, started, self._in_short)
        self._ran: list[CaseKey] = []

    def add(self, result: CaseResult) -> None:
        self._ran.append(result.key)
        self._writer.add(result)

    def begin_writing(self) -> None:
        """Record what has finished so far, as no more cases begin."""
        self._writer.begin()

    async def finish(
        self, end: RunEnd, suites: Iterable[Suite], began: float
    ) -> tuple[RunFinished, tuple[Comparison, ...]]:
        """Write result files and history. What cannot be written becomes a problem.

        `suites` are those of which cases ran; `began` is when, by `time.perf_counter`.
        """
        now = self._events.clock()
        results, comparisons = await asyncio.to_thread(self._results.of_all, suites, now)
        folder = self._config.root / self._config.output_dir
        files: tuple[Path, ...] = ()
        try:
            files = await asyncio.to_thread(write_results, folder, results)
        except (OSError, UserError) as error:
            self._events.report(run_problems.not_written(self._config.output_dir, error))
        finished = RunFinished(
            run_id=self._started.run_id,
            agent=self._started.agent,
            end=end,
            duration_s=time.perf_counter() - began,
            suites=results,
            files=tuple(path.as_posix() for path in files),
            finished_at=now,
            changes=self._board.changes((*self._started.resumed, *self._ran)),
        )
        try:
            await self._writer.finish(finished)
            if self._started.number % _PRUNED_EVERY == 0:
                prune = self._history.prune_results
                keep, baseline = self._config.keep_runs, self._config.baseline_run_id
                await asyncio.to_thread(prune, keep, baseline)
        except HistoryError as error:
            self._events.report(run_problems.not_recorded(error))
        return finished, comparisons

    def _in_short(self, result: CaseResult) -> str:
        """What differs in it, for a row of the next process, which has no calls at hand."""
        row = self._board.rows.get(result.key)
        if row is None or not is_told_by_calls(result, row.effect):
            return ""
        from evaltui.expectations.result_difference import difference_of

        return difference_of(result, row.case, row.before, multiset=self._config.multiset_tools)
