"""One run of one agent: cases become jobs, jobs become results, results become files."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct, field

from evaltui.core.agent import Agent
from evaltui.core.baseline import Comparison
from evaltui.core.case import CaseKey
from evaltui.core.config import AgentProfile, Config
from evaltui.core.errors import EvaltuiError, Problem, UserError
from evaltui.core.events import (
    BaselineCompared,
    CaseFinished,
    Event,
    ProblemFound,
    RunEnd,
    RunFinished,
    RunStarted,
)
from evaltui.core.inputs import Inputs
from evaltui.core.json_value import Json
from evaltui.core.result import SuiteResult
from evaltui.core.run_id import new_run_id
from evaltui.disk.history import History
from evaltui.disk.history_file import HistoryError
from evaltui.disk.history_writer import HistoryWriter
from evaltui.disk.results_folder import write_results
from evaltui.expectations.contract_config import ContractConfig
from evaltui.expectations.mentions import expected_of
from evaltui.expectations.outdated import staleness
from evaltui.kinds import kind_of, settled
from evaltui.project import Project
from evaltui.runner import run_problems
from evaltui.runner.job import Job
from evaltui.runner.limits import limits_of
from evaltui.runner.run import run_cases
from evaltui.session.affected import InputsOf
from evaltui.session.suite_results import suite_result
from evaltui.store.board import Board

_LOOK_S = 0.03
"""So long it is looked whether there is anything to do."""


class RunRequest(Struct):
    """Cases that somebody, or a change, wants to have run."""

    keys: dict[CaseKey, None]
    """Used as an ordered set."""
    reason: str
    trigger: tuple[str, ...] = ()
    trials: int = 1


class Run(Struct):
    """A run in progress."""

    wish: RunRequest
    config: Config
    project: Project
    agent: Agent
    board: Board
    history: History
    emit: Callable[[Event], None]
    mutes: Mapping[str, str]
    """Reasons by `suite::case`."""
    remembered: Callable[[], Awaitable[None]]
    """Waits until the board knows earlier results and baselines."""
    clock: Callable[[], float] = time.time
    profile: AgentProfile | None = None
    """Its limits win over those for all agents."""
    run_id: str = field(default_factory=new_run_id)
    pending: dict[CaseKey, None] = field(default_factory=dict)
    """Used as an ordered set: cases that have not finished, in file order."""
    _end: RunEnd = RunEnd.COMPLETED
    _task: asyncio.Task[None] | None = None
    _recording: HistoryWriter | None = None
    _remembers: bool = False
    """Whether the board was told of earlier results: recording new ones before would hide them."""

    async def execute(self) -> RunFinished:
        """Run to the end or until `stop`; what finished is on disk either way."""
        began = time.perf_counter()
        self.pending = self._chosen()
        jobs = self._jobs(await self._snapshot())
        started = RunStarted(
            run_id=self.run_id,
            agent=self.agent.name,
            number=await asyncio.to_thread(self.history.next_number),
            cases=tuple(self.pending),
            reason=self.wish.reason,
            trigger=self.wish.trigger,
            concurrency=self.config.concurrency,
            trials=self.wish.trials,
            started_at=self.clock(),
            eta_s=self._eta(),
            settings=self._settings,
        )
        recording = self._recording = HistoryWriter(self.history, started)
        self.emit(started)
        try:
            if self._end is RunEnd.COMPLETED:
                self._task = asyncio.create_task(self._run(jobs), name=f"run {self.run_id}")
                await self._task
        except asyncio.CancelledError:
            if self._end is RunEnd.COMPLETED:
                self._end = RunEnd.CANCELLED
                await self._finish(recording, began)
                raise
        except BaseException:
            self._end = RunEnd.CANCELLED
            await self._finish(recording, began)
            raise
        return await self._finish(recording, began)

    def stop(self, end: RunEnd) -> None:
        """Stop calling the agent now; cases in flight produce no result."""
        if self._end is RunEnd.COMPLETED:
            self._end = end
            if self._task is not None:
                self._task.cancel()

    def is_touched_by(self, project: Project) -> bool:
        """Whether a case that has not finished yet would be run with other inputs now."""
        before, now = self._pending_inputs(self.project), self._pending_inputs(project)
        return any(now.get(key) != before[key] for key in self.pending)

    @property
    def _settings(self) -> str:
        return self.agent.traits.settings

    async def _run(self, jobs: Iterable[Job]) -> None:
        remembering = asyncio.create_task(self._remember_meanwhile(), name="remember")
        try:
            await run_cases(
                jobs,
                self.agent,
                self._hear,
                run_id=self.run_id,
                concurrency=self.config.concurrency,
                timeout_s=self.config.timeout_ms / 1000,
                limits=limits_of(self.config, self.profile),
                clock=self.clock,
            )
        finally:
            remembering.cancel()

    async def _remember_meanwhile(self) -> None:
        """As soon as the agent leaves time for it; one that answers at once never does."""
        while True:
            began, worked = time.perf_counter(), time.process_time()
            await asyncio.sleep(_LOOK_S)
            if time.process_time() - worked < (time.perf_counter() - began) / 2:
                return await self._remember()

    async def _remember(self) -> None:
        """Have the board know earlier results; what is wrong with them the session tells."""
        with suppress(EvaltuiError):
            await self.remembered()
        self._remembers = True

    def _hear(self, event: Event) -> None:
        if isinstance(event, CaseFinished):
            self.pending.pop(event.result.key, None)
            if self._recording is not None:
                self._recording.add(event.result)
        self.emit(event)

    async def _snapshot(self) -> Json:
        if not (self.config.snapshot_enabled and self.config.snapshot):
            return None
        from evaltui.runner.snapshot import capture_snapshot

        try:
            return await capture_snapshot(self.config.snapshot, self.config.root)
        except UserError as error:
            self.emit(ProblemFound(Problem("", error.what, error.hint, code="snapshot")))
            return None

    def _chosen(self) -> dict[CaseKey, None]:
        return {
            case.key: None
            for suite in self.project.suites
            for case in suite.cases
            if case.key in self.wish.keys
        }

    def _pending_inputs(self, project: Project) -> dict[CaseKey, Inputs]:
        """What every case that has not finished depends on in this reading of the project."""
        inputs_of = InputsOf(project, self.agent)
        return {
            case.key: inputs_of(case, suite)
            for suite in project.suites
            for case in suite.cases
            if case.key in self.pending
        }

    def _jobs(self, snapshot: Json) -> Iterator[Job]:
        """Made as the workers ask for them: plans of cases that wait would only take memory."""
        rules = ContractConfig(multiset_tools=self.config.multiset_tools)
        inputs_of = InputsOf(self.project, self.agent)
        chosen, mutes = frozenset(self.pending), self.mutes
        for suite in self.project.suites:
            is_stale = staleness(suite, self.project.registry).stale
            for case in suite.cases:
                if case.key in chosen:
                    kind = kind_of(case)
                    yield Job(
                        case=case,
                        driver=kind.driver,
                        plan=kind.plan(case, config=rules),
                        settled=settled(case),
                        registry=self.project.registry,
                        inputs=inputs_of(case, suite),
                        stale=is_stale,
                        seed=self.project.seed,
                        snapshot=snapshot,
                        trials=self.wish.trials,
                        muted=mutes.get(str(case.key), ""),
                        expected=expected_of(case),
                    )
        if self._recording is not None and self._remembers:
            self._recording.begin()

    def _eta(self) -> float | None:
        """Seconds, from what these cases took last time; `None` when nothing is known."""
        rows = (self.board.rows.get(key) for key in self.pending)
        known = [row.result.duration_ms for row in rows if row and row.result]
        if not known:
            return None
        mean = sum(known) / len(known) / 1000
        return mean * len(self.pending) * self.wish.trials / max(1, self.config.concurrency)

    async def _finish(self, recording: HistoryWriter, began: float) -> RunFinished:
        """Write and tell; shielded by its callers' order: nothing here waits on the agent."""
        await self._remember()
        now = self.clock()
        results, comparisons = await asyncio.to_thread(self._suite_results, now)
        folder = self.config.root / self.config.output_dir
        files: tuple[Path, ...] = ()
        try:
            files = await asyncio.to_thread(write_results, folder, results)
        except (OSError, UserError) as error:
            self.emit(ProblemFound(run_problems.not_written(self.config.output_dir, error), now))
        finished = RunFinished(
            run_id=self.run_id,
            agent=self.agent.name,
            end=self._end,
            duration_s=time.perf_counter() - began,
            suites=results,
            files=tuple(path.as_posix() for path in files),
            finished_at=now,
        )
        try:
            await recording.finish(finished)
        except HistoryError as error:
            self.emit(ProblemFound(run_problems.not_recorded(error), now))
        if unseen := self.agent.loaded_files():
            problem = run_problems.unseen_files(self.agent.name, unseen, self.config.root)
            self.emit(ProblemFound(problem, now))
        if comparisons:
            self.emit(BaselineCompared(self.run_id, self.agent.name, comparisons))
        self.emit(finished)
        return finished

    def _suite_results(self, now: float) -> tuple[tuple[SuiteResult, ...], tuple[Comparison, ...]]:
        touched = {key.suite for key in self.wish.keys}
        results: list[SuiteResult] = []
        comparisons: list[Comparison] = []
        for suite in self.project.suites:
            if suite.id not in touched:
                continue
            rows = ((case.key, self.board.rows.get(case.key)) for case in suite.cases)
            result, comparison = suite_result(
                suite,
                {key: row.result for key, row in rows if row and row.result},
                run_id=self.run_id,
                agent=self.agent.name,
                endpoint=self.agent.name,
                registry=self.project.registry,
                baseline=self.board.baselines.get(suite.id),
                now=now,
                settings=self._settings,
            )
            if result.cases:
                results.append(self.history.complete(result))
            if comparison is not None:
                comparisons.append(comparison)
        return tuple(results), tuple(comparisons)
