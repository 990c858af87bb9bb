"""One run of one agent: cases become jobs, jobs become results, results become files."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.baseline import Comparison
from evaltui.core.case import CaseKey
from evaltui.core.comparison import is_told_by_calls
from evaltui.core.errors import EvaltuiError, Problem, UserError
from evaltui.core.events import (
    BaselineCompared,
    CaseFinished,
    Event,
    RunEnd,
    RunFinished,
    RunStarted,
)
from evaltui.core.json_value import Json
from evaltui.core.result import CaseResult
from evaltui.core.run_id import new_run_id
from evaltui.disk.history_file import HistoryError
from evaltui.disk.history_writer import HistoryWriter
from evaltui.disk.results_folder import write_results
from evaltui.project import trusted_snapshot
from evaltui.runner import run_problems
from evaltui.runner.job import Job
from evaltui.runner.run import run_cases
from evaltui.session.earlier_results import EarlierResults
from evaltui.session.jobs import NO_ATTEMPTS, Attempts, jobs_of
from evaltui.session.project_state import ProjectState
from evaltui.session.rejudging import Rejudging
from evaltui.session.run_order import in_order
from evaltui.session.spending import Spending
from evaltui.session.suite_results import SuiteResults
from evaltui.store.board import Board

_PRUNED_EVERY = 10
"""Runs between looks at the folder of results for what is too old."""
_LOOK_S = 0.03
"""How often to look whether the agent leaves time for reading earlier results."""
_LONGEST_STEP_S = 0.008
"""Judging without asking does not wait by itself: after this everybody else gets a turn."""


class RunRequest(Struct):
    """Cases that somebody, or a change, wants to have run."""

    keys: dict[CaseKey, None]
    """Used as an ordered set."""
    reason: str
    trigger: tuple[str, ...] = ()
    trials: int = 1
    is_rejudging: bool = False
    """Judge the kept answers again, and ask nobody."""
    resumed: tuple[CaseKey, ...] = ()
    """Cases that the interrupted run had finished of which this is the rest."""
    attempts: Attempts = NO_ATTEMPTS
    is_by_news: bool = False
    """Begin with the cases that most probably tell something, not with the first of the files."""


class Run:
    """A run in progress, of the project and the settings as they were when it was made."""

    def __init__(
        self,
        request: RunRequest,
        agent: Agent,
        board: Board,
        state: ProjectState,
        earlier: EarlierResults,
        spending: Spending,
    ) -> None:
        self.request = request
        self.project = state.project
        self.run_id = new_run_id()
        self._agent, self._board = agent, board
        self._rejudging = Rejudging(state.project, agent, board, state.config)
        self._config = state.config
        self._history = state.record.history
        self._events = state.events
        self._earlier = earlier
        self._spending = spending
        self._snapshot: Json = None
        self._number = 0
        self.end = RunEnd.COMPLETED
        """How it ends, or ended."""
        self._task: asyncio.Task[None] | None = None
        self._writer: HistoryWriter | None = None
        self.pending = self._chosen()
        """Used as an ordered set: cases that have not finished, in the order in which they run."""
        self._ran: list[CaseKey] = []
        self.lost: set[CaseKey] = set()
        """Cases whose kept answer is not there any more, when it was to be judged again."""
        self._suites = frozenset(key.suite for key in (*self.pending, *request.resumed))
        self._results = SuiteResults(
            board, self.project.registry, state.record.history, self.run_id, agent.traits.settings
        )

    async def execute(self, eta_s: float | None = None) -> RunFinished:
        """Run to the end or until `stop`; what finished is on disk either way.

        `eta_s`: how long it will probably take.
        """
        began = time.perf_counter()
        started = await self._prepare(eta_s)
        writer = self._writer = HistoryWriter(self._history, started, self._in_short)
        self._events.emit(started)
        try:
            await self._run_cases()
        except BaseException:
            self.end = RunEnd.CANCELLED
            self._tell(*await self._record(writer, began))
            raise
        return self._tell(*await self._record(writer, began))

    def stop(self, end: RunEnd) -> None:
        """Stop calling the agent now; cases in flight produce no result."""
        if self.end is RunEnd.COMPLETED:
            self.end = end
            if self._task is not None:
                self._task.cancel()

    async def _prepare(self, eta_s: float | None) -> RunStarted:
        """Find out all that the run has to say before it asks the agent."""
        if not self.request.is_rejudging:
            self._snapshot = await self._capture_snapshot()
        self._number = await asyncio.to_thread(self._history.next_number)
        await asyncio.to_thread(self.project.tool_prints.keep)
        if self.request.is_by_news and len(self.pending) > 1:
            rows = self._board.rows
            keys = tuple(self.pending)
            ordered = await asyncio.to_thread(in_order, keys, self.project, rows, self._agent)
            self.pending = dict.fromkeys(ordered)
        return RunStarted(
            run_id=self.run_id,
            agent=self._agent.name,
            number=self._number,
            cases=tuple(self.pending),
            reason=self.request.reason,
            trigger=self.request.trigger,
            concurrency=self._config.concurrency,
            trials=self.request.trials,
            started_at=self._events.clock(),
            eta_s=eta_s,
            reading=self.project.number,
            is_rejudging=self.request.is_rejudging,
            settings=self._agent.traits.settings,
            resumed=self.request.resumed,
        )

    async def _run_cases(self) -> None:
        """Returns when all cases finished or `stop` was called. Raises what breaks off a run."""
        if self.end is not RunEnd.COMPLETED:
            return
        work = self._judge_again() if self.request.is_rejudging else self._ask()
        self._task = asyncio.create_task(work, name=f"run {self.run_id}")
        try:
            await self._task
        except asyncio.CancelledError:
            if self.end is RunEnd.COMPLETED:  # not stopped: whoever waits here was cancelled
                raise

    async def _record(
        self, writer: HistoryWriter, began: float
    ) -> tuple[RunFinished, tuple[Comparison, ...]]:
        """Write result files and history. What cannot be written becomes a problem."""
        await self._load_earlier()
        now = self._events.clock()
        chosen = [suite for suite in self.project.suites if suite.id in self._suites]
        results, comparisons = await asyncio.to_thread(self._results.of_all, chosen, now)
        folder = self._config.root / self._config.output_dir
        files: tuple[Path, ...] = ()
        try:
            files = await asyncio.to_thread(write_results, folder, results)
        except (OSError, UserError) as error:
            self._events.report(run_problems.not_written(self._config.output_dir, error))
        finished = RunFinished(
            run_id=self.run_id,
            agent=self._agent.name,
            end=self.end,
            duration_s=time.perf_counter() - began,
            suites=results,
            files=tuple(path.as_posix() for path in files),
            finished_at=now,
            changes=self._board.changes((*self.request.resumed, *self._ran)),
        )
        try:
            await writer.finish(finished)
            if self._number % _PRUNED_EVERY == 0:
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

    def _tell(self, finished: RunFinished, comparisons: tuple[Comparison, ...]) -> RunFinished:
        agent = self._agent
        if unseen := agent.loaded_files():
            self._events.report(run_problems.unseen_files(agent.name, unseen, self._config.root))
        if comparisons:
            self._events.emit(BaselineCompared(self.run_id, agent.name, comparisons))
        self._events.emit(finished)
        return finished

    async def _ask(self) -> None:
        loading = asyncio.create_task(self._load_earlier_meanwhile(), name="history")
        try:
            await run_cases(
                self._jobs(),
                self._agent,
                self._on_event,
                run_id=self.run_id,
                concurrency=self._config.concurrency,
                timeout_s=self._config.timeout_ms / 1000,
                rate=self._spending.rate(self._agent.name),
                clock=self._events.clock,
            )
        finally:
            loading.cancel()

    async def _judge_again(self) -> None:
        await self._load_earlier()
        keys, now, turn = frozenset(self.pending), self._events.clock(), time.perf_counter()
        for suite in self.project.suites:
            if suite.id not in self._suites:
                continue
            whole, _ = await asyncio.to_thread(self._results.of, suite, now)
            async for result in self._rejudging.judge(suite, whole, keys):
                # A result of its own, though the answer is an earlier one's.
                mine = replace(result, run_id=self.run_id, finished_at=now, carried_from="")
                self._on_event(CaseFinished(self.run_id, mine))
                if time.perf_counter() - turn > _LONGEST_STEP_S:
                    await asyncio.sleep(0)
                    turn = time.perf_counter()
            self.lost |= {key for key in self.pending if key.suite == suite.id}

    async def _load_earlier_meanwhile(self) -> None:
        """As soon as the agent leaves time for it; one that answers at once never does."""
        while True:
            began, worked = time.perf_counter(), time.process_time()
            await asyncio.sleep(_LOOK_S)
            if time.process_time() - worked < (time.perf_counter() - began) / 2:
                return await self._load_earlier()

    async def _load_earlier(self) -> None:
        """What cannot be read of earlier results is told by whoever opened the session."""
        with suppress(EvaltuiError):
            await self._earlier.load()

    def _on_event(self, event: Event) -> None:
        if isinstance(event, CaseFinished):
            self.pending.pop(event.result.key, None)
            self._ran.append(event.result.key)
            if self._writer is not None:
                self._writer.add(event.result)
        self._events.emit(event)
        if isinstance(event, CaseFinished):
            self._spending.tell(is_late=True)

    async def _capture_snapshot(self) -> Json:
        try:
            return await trusted_snapshot(self._config)
        except UserError as error:
            self._events.report(Problem("", error.what, error.hint, code="snapshot"))
            return None

    def _chosen(self) -> dict[CaseKey, None]:
        return {
            case.key: None
            for suite in self.project.suites
            for case in suite.cases
            if case.key in self.request.keys
            and (not self.request.is_rejudging or self._rejudging.can_judge(case, suite))
        }

    def _jobs(self) -> Iterator[Job]:
        yield from jobs_of(
            self.project,
            self._agent,
            self._config,
            tuple(self.pending),
            trials=self.request.trials,
            snapshot=self._snapshot,
            attempts=self.request.attempts,
        )
        if self._writer is not None and self._earlier.is_loaded:
            # Recording new results before earlier ones are known would hide those.
            self._writer.begin()
