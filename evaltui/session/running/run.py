"""One run of one agent: cases become jobs, jobs become results, results are kept."""

import asyncio
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import aclosing

from msgspec.structs import replace

from evaltui.core.agent import Agent
from evaltui.core.baseline import Comparison
from evaltui.core.case import CaseKey
from evaltui.core.events import (
    BaselineCompared,
    CaseFinished,
    Event,
    RunEnd,
    RunFinished,
    RunStarted,
    TrialFinished,
)
from evaltui.core.judge import Panel
from evaltui.core.run_id import new_run_id
from evaltui.runner import run_problems
from evaltui.runner.job import Job
from evaltui.runner.run import run_cases
from evaltui.session.money.spending import Spending
from evaltui.session.project_state import ProjectState
from evaltui.session.running.earlier_results import EarlierResults
from evaltui.session.running.held_rubrics import HeldRubrics, split_rubrics
from evaltui.session.running.jobs import Held, chosen, not_held
from evaltui.session.running.kept_run import KeptRun
from evaltui.session.running.planned_before import PlannedBefore
from evaltui.session.running.rejudging import Rejudging
from evaltui.session.running.run_jobs import RunJobs
from evaltui.session.running.run_preparation import RunPreparation
from evaltui.session.running.run_request import RunRequest
from evaltui.session.running.run_spending import RunSpending
from evaltui.session.running.suite_results import SuiteResults
from evaltui.session.running.unbroken import unbroken
from evaltui.session.trials.further_trials import FurtherTrials
from evaltui.store.board import Board


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
        panel: Panel | None = None,
    ) -> None:
        self.request = request
        self.project = state.project
        self.run_id = new_run_id()
        self._agent, self._board = agent, board
        self._panel = panel
        self._rejudging = Rejudging(
            state.project, agent, board, state.config, panel, asks_judge=request.asks_judge
        )
        self._config = state.config
        self._state = state
        self._events = state.events
        self._earlier = earlier
        self._spending = spending
        self._preparation = RunPreparation(agent, board, state, has_judge=panel is not None)
        self._jobs = RunJobs(request, agent, state.project, state.config, panel)
        self.end = RunEnd.COMPLETED
        """How it ends, or ended."""
        self._task: asyncio.Task[None] | None = None
        self._kept: KeptRun | None = None
        can_judge = self._rejudging.can_judge if request.is_rejudging else None
        self.pending = chosen(state.project, request.keys, can_judge)
        """Used as an ordered set: cases that have not finished, in the order in which they run."""
        self._money = RunSpending(self.run_id, request, agent, board, state, spending, self.pending)
        self._may_send = True
        """Whether no limit on money was met."""
        self._further: FurtherTrials | None = None
        if request.confirms != "not":
            self._further = FurtherTrials(
                earlier.evidence, self._money.may_go_on, settles_passes=request.is_repeat
            )
        self._planned = PlannedBefore(board, state)
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
        try:
            started = await self._prepare(eta_s)
        except BaseException:
            self._preparation.tell()
            raise
        self._kept = kept = KeptRun(
            started, self._results, self._board, self._state, self._config, self._earlier.evidence
        )
        self._events.emit(started)
        self._preparation.tell()
        self._money.begin()
        self._take_over()
        try:
            await self._run_cases()
        except BaseException:
            self.end = RunEnd.CANCELLED
            await unbroken(self._finish(kept, began))
            raise
        return await unbroken(self._finish(kept, began))

    def stop(self, end: RunEnd) -> None:
        """Stop calling the agent now; cases in flight produce no result."""
        if self.end is RunEnd.COMPLETED:
            self.end = end
            if self._task is not None:
                self._task.cancel()

    async def _prepare(self, eta_s: float | None) -> RunStarted:
        """Find out all that the run has to say before it asks the agent."""
        if not self.request.is_rejudging:
            self._jobs.snapshot = await self._preparation.snapshot()
        number = await asyncio.to_thread(self._preparation.next_number)
        await asyncio.to_thread(self.project.keep_tools)
        if not self.request.is_rejudging:
            await self._earlier.evidence.prepare(self.pending, self.project, self.request.trials)
        if self.request.is_by_news:
            self.pending = await self._preparation.in_order(self.pending)
        cases = tuple(self.pending)
        before = await asyncio.to_thread(self._preparation.stood_before, self.request, cases)
        return self._preparation.started(
            self.run_id,
            self.request,
            number,
            cases,
            before,
            eta_s,
            tries_again=self._further is not None,
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

    async def _finish(self, kept: KeptRun, began: float) -> RunFinished:
        self._money.stop()
        await self._earlier.load_what_can_be()
        self._earlier.evidence.tell()
        for result in self._further.made if self._further is not None else ():
            kept.add(result)
        chosen = [suite for suite in self.project.suites if suite.id in self._suites]
        self._money.settle()
        if self.held:
            most = self._config.confirm_above
            self._events.report(run_problems.held_back(most, len(self.held)))
        spent, is_fair = self._money.spent, not self.held
        return self._tell(*await kept.finish(self.end, chosen, began, spent, is_fair=is_fair))

    def _tell(self, finished: RunFinished, comparisons: tuple[Comparison, ...]) -> RunFinished:
        agent = self._agent
        if unseen := agent.loaded_files():
            self._events.report(run_problems.unseen_files(agent.name, unseen, self._config.root))
        if comparisons:
            self._events.emit(BaselineCompared(self.run_id, agent.name, comparisons))
        self._events.emit(finished)
        return finished

    async def _ask(self) -> None:
        loading = asyncio.create_task(self._earlier.load_meanwhile(), name="history")
        try:
            # A rubric needs to know how the deterministic cases went.
            keys = tuple(self.pending)
            first, last = split_rubrics(self.project, keys) if self._panel else (keys, ())
            await self._run_jobs(self._first_jobs(first))
            if last:
                held = HeldRubrics(self.project, self._board.rows, self._state.mutes.reasons)
                await self._run_jobs(self._first_jobs(last, held))
            if self._further is not None:
                await self._try_again(self._further)
        finally:
            loading.cancel()

    def _take_over(self) -> None:
        """Tell what an interrupted run had made of these cases: whoever goes on with this one finds
        it here."""
        for attempt in self._jobs.take_over(self.pending):
            self._events.emit(TrialFinished(self.run_id, attempt))

    async def _try_again(self, further: FurtherTrials) -> None:
        """Trials of what is undecided, few at once, so that each goes where it decides most."""
        await self._earlier.load_what_can_be()
        rows, resumed = self._board.rows, self.request.resumed
        done = (row.result for key in resumed if (row := rows.get(key)) and row.result)
        if fallen := self._earlier.evidence.fallen(done):
            suites, now = self.project.suites, self._events.clock()
            whole = await asyncio.to_thread(self._results.taken_over, suites, fallen, now)
            further.go_on_with(whole)
        while self._may_send and (wanted := further.next(max(1, self._config.concurrency))):
            await self._run_jobs(self._jobs.further(wanted), run_problems.further_left)
        if further.unanswered:
            self._events.report(run_problems.not_answered(further.unanswered))

    @property
    def held(self) -> frozenset[CaseKey]:
        """What was to run by itself, and would have cost more than a save may spend so."""
        return self._money.held.intersection(self.pending)

    async def _run_jobs(
        self, jobs: Iterator[Job], left_words: Callable[[int], str] = run_problems.cases_left
    ) -> None:
        """`left_words`: how a limit on money is told that leaves so many."""
        allowance = self._money.allowance
        for those in (jobs,) if allowance is None else allowance.fitting(jobs):
            may_send = await run_cases(
                those,
                self._agent,
                self._on_event,
                run_id=self.run_id,
                concurrency=self._config.concurrency,
                timeout_s=self._config.timeout_ms / 1000,
                rate=self._spending.budgets.rate(self._agent.name),
                clock=self._events.clock,
                left_words=left_words,
            )
            self._may_send = self._may_send and may_send

    async def _judge_again(self) -> None:
        await self._earlier.load_what_can_be()
        keys, now = frozenset(self.pending), self._events.clock()
        for suite in self.project.suites:
            if suite.id not in self._suites:
                continue
            whole = await asyncio.to_thread(self._results.whole, suite, now)
            async with aclosing(self._rejudging.judge(suite, whole, keys)) as results:
                async for result in results:
                    # A result of its own, though the answer is an earlier one's.
                    mine = replace(
                        result,
                        run_id=self.run_id,
                        finished_at=now,
                        carried_from="",
                        was_judged_again=True,
                    )
                    self._on_event(CaseFinished(self.run_id, mine))
                    allowance = self._money.allowance
                    if allowance is not None and not allowance.may_go_on:
                        self._money.leave(self.pending)
                        return
            left = {key for key in self.pending if key.suite == suite.id}
            self.lost |= left.difference(self._rejudging.unjudged)

    def _on_event(self, event: Event) -> None:
        if not isinstance(event, (CaseFinished, TrialFinished)):
            self._events.emit(event)
            return
        allowance = self._money.allowance
        if allowance is not None:
            allowance.ended(event.result)
        if isinstance(event, CaseFinished):
            if event.result.key in self.request.by_outcome:
                event = CaseFinished(event.run_id, self._planned.of(event.result))
            self.pending.pop(event.result.key, None)
            if self._further is not None:  # recorded once, when no more attempts follow
                event = CaseFinished(event.run_id, self._further.add(event.result))
            elif self._kept is not None:
                self._kept.add(event.result)
        elif self._kept is not None:
            self._kept.add_attempt(event.result)
        self._events.emit(event)
        if isinstance(event, CaseFinished):
            self._spending.budgets.tell(is_late=True)

    def _first_jobs(self, keys: Collection[CaseKey], held: Held = not_held) -> Iterator[Job]:
        yield from self._jobs.of(keys, held)
        if self._kept is not None and self._earlier.is_loaded:
            # Recording new results before earlier ones are known would hide those.
            self._kept.begin_writing()
