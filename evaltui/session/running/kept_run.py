"""What is kept of one run: its result files, and its part of the history."""

import asyncio
import time
from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from evaltui.core.baseline import Comparison
from evaltui.core.case import CaseKey
from evaltui.core.comparison import ReportedEffect, is_explained_by_calls
from evaltui.core.config import Config
from evaltui.core.errors import UserError
from evaltui.core.events import DetailLoaded, RunEnd, RunFinished, RunStarted
from evaltui.core.proof import Proof
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.spent import Spent
from evaltui.core.suite import Suite
from evaltui.core.suite_result import SuiteResult
from evaltui.disk.history.history_file import HistoryError
from evaltui.disk.history.history_writer import HistoryWriter
from evaltui.disk.results.results_folder import write_results
from evaltui.runner import run_problems
from evaltui.session.project_state import ProjectState
from evaltui.session.running.earlier_calls import EarlierCalls
from evaltui.session.running.suite_results import SuiteResults
from evaltui.session.trials.evidence import Evidence
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
        evidence: Evidence,
    ) -> None:
        """`config`: the settings as they were when the run was made."""
        self._started = started
        self._results = results
        self._board = board
        self._config = config
        self._evidence = evidence
        self._history, self._journal = state.record.history, state.record.journal
        self._events = state.events
        self._mutes = state.mutes
        self._writer = HistoryWriter(self._history, started, self._in_short, self._reported)
        self._ran: list[CaseKey] = []
        self._earlier = EarlierCalls(self._history)

    def add(self, result: CaseResult) -> None:
        self._ran.append(result.key)
        self._writer.add(result)

    def add_attempt(self, attempt: CaseResult) -> None:
        """One of several, which counts also where its case does not finish."""
        self._writer.add_attempt(attempt)

    def begin_writing(self) -> None:
        """Record what has finished so far, as no more cases begin."""
        self._writer.begin()

    async def finish(
        self,
        end: RunEnd,
        suites: Iterable[Suite],
        began: float,
        spent: Spent,
        *,
        is_fair: bool = True,
    ) -> tuple[RunFinished, tuple[Comparison, ...]]:
        """Write result files and history. What cannot be written becomes a problem.

        `suites` are those of which cases ran; `began` is when, by `time.perf_counter`; `is_fair`:
        all that was drawn ran.
        """
        now = self._events.clock()
        results, comparisons = await asyncio.to_thread(self._results.of_all, suites, now)
        if self._started.resumed:  # they are told of as if they had run now
            results = await asyncio.to_thread(lambda: tuple(map(self._history.complete, results)))
        folder = self._config.root / self._config.output_dir
        files: tuple[Path, ...] = ()
        try:
            files = await self._write_files(folder, results)
        except (OSError, UserError) as error:
            self._events.report(run_problems.not_written(self._config.output_dir, error))
        # Of those that had finished before some were tried again.
        draw, ran = self._started.draw, tuple(dict.fromkeys((*self._started.resumed, *self._ran)))
        changes = self._board.changes(ran, self._started.run_id)
        finished = RunFinished(
            run_id=self._started.run_id,
            agent=self._started.agent,
            end=end,
            duration_s=time.perf_counter() - began,
            suites=results,
            files=tuple(path.as_posix() for path in files),
            finished_at=now,
            changes=changes,
            spent=spent,
            # Of a run that was cut short those that finished are no fair sample.
            audited=draw.audited(ran, changes)
            if draw and is_fair and end is RunEnd.COMPLETED
            else None,
        )
        try:
            board = self._board
            goes_on = board.headline.goes_on(self._started.run_id, board.counts.all)
            muted, proofs = tuple(self._mutes.reasons), self._proofs()
            own = finished
            if self._started.resumed:  # its line has the figures of its own results, as every other
                made = board.changes(dict.fromkeys(self._ran), self._started.run_id)
                own = replace(finished, changes=made)
            await self._writer.finish(own, muted, goes_on, proofs)
            if self._started.number % _PRUNED_EVERY == 0:
                prune = self._history.prune_results
                keep, baseline = self._config.keep_runs, self._config.baseline_run_id
                await asyncio.to_thread(prune, keep, baseline)
        except HistoryError as error:
            self._journal.leave_to_recover(self._started.run_id)
            self._events.report(run_problems.not_recorded(error))
        for before in self._earlier.read:
            self._events.emit(DetailLoaded(self._started.agent, before))
        if self._started.is_rejudging:
            # How answers count that may count already is known once they are recorded.
            await self._evidence.read_again()
        return replace(finished, proven=self._proven(results)), comparisons

    async def _write_files(
        self, folder: Path, results: tuple[SuiteResult, ...]
    ) -> tuple[Path, ...]:
        """What the journal has word for word is not made a second time. Raises OSError and
        UserError.
        """
        known = self._journal.lines(self._started.run_id, results)
        fill = self._history.carried
        try:
            return await asyncio.to_thread(write_results, folder, results, fill, known)
        finally:
            known.close()

    def _proven(self, results: Iterable[SuiteResult]) -> tuple[CaseKey, ...]:
        regressed = {key for key, row in self._board.rows.items() if row.regressed}
        keys = (case.key for suite in results for case in suite.cases) if regressed else ()
        return tuple(key for key in keys if key in regressed)

    def _proofs(self) -> tuple[Proof, ...]:
        """Of all cases of the board that are marked because of them."""
        known = ((row, row.proof) for row in self._board.rows.values())
        return tuple(
            proof
            for row, proof in known
            if proof is not None and (row.against is not None or proof.is_flaky)
        )

    def _reported(self, result: CaseResult) -> ReportedEffect | None:
        row = self._board.rows.get(result.key)
        if row is None:
            return None
        effect = self._board.headline.compared(row, self._started.run_id).effect
        return None if effect is None else ReportedEffect(effect, bool(row.muted))

    def _in_short(self, result: CaseResult) -> str:
        """What differs in it, for a row of the next process, which has no calls at hand."""
        row = self._board.rows.get(result.key)
        if row is None:
            return ""
        made = self._board.headline.compared(row, self._started.run_id)
        effect = None if row.muted else made.effect
        if not is_explained_by_calls(result, effect):
            return ""
        from evaltui.expectations.result_difference import difference_of

        is_failed = result.status is CaseStatus.FAILED
        before = None if is_failed else self._earlier.before(made)
        return difference_of(result, row.case, before, effect, multiset=self._config.multiset_tools)
