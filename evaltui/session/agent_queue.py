"""The queue of one agent: what is due, what was asked for, and the run in progress."""

import asyncio
from collections.abc import Iterable

from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem
from evaltui.core.events import RunEnd, RunFinished
from evaltui.session.affected import is_touched
from evaltui.session.baselines import Baselines
from evaltui.session.configured_agent import ConfiguredAgent
from evaltui.session.due_cases import DueCases
from evaltui.session.due_requests import DueRequests
from evaltui.session.judges import Judges
from evaltui.session.money.free_agent import is_free
from evaltui.session.money.spending import Cause, Spending
from evaltui.session.project_state import ProjectState
from evaltui.session.running.earlier_results import EarlierResults
from evaltui.session.running.held_rubrics import free_rubrics
from evaltui.session.running.run import Run
from evaltui.session.running.run_request import RunRequest
from evaltui.session.trials.evidence import Evidence
from evaltui.session.waiting_requests import WaitingRequests


class AgentQueue:
    """Runs what is asked of one agent, one request after the other."""

    def __init__(
        self,
        configured: ConfiguredAgent,
        state: ProjectState,
        spending: Spending,
        baselines: Baselines,
        judges: Judges,
    ) -> None:
        self.configured = configured
        self.agent = configured.agent
        self.board = state.events.store.board(self.agent.name)
        self.run: Run | None = None
        self._state = state
        self._spending = spending
        self._judges = judges
        self.due = DueCases(self.agent, self.board, state)
        self._wanted = DueRequests(self.agent, self.board, self.due, state, spending)
        self.to_run = self._wanted.to_run
        self.evidence = Evidence(self.agent, self.board, state, baselines)
        self._earlier = EarlierResults(state, baselines, self.due, self.evidence)
        self._requests = WaitingRequests()
        self._superseding: RunRequest | None = None
        """What takes the place of the run in progress, beside what that leaves undone."""
        self._saved: tuple[str, ...] = ()
        """The files of the last save, once it had what it made due run."""
        self._worker: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether something is run, or waits for its turn."""
        return self.run is not None or bool(self._requests)

    @property
    def is_rejudging(self) -> bool:
        """Whether kept answers are judged again, or wait for that."""
        is_on = self.run is not None and self.run.request.is_rejudging
        return is_on or any(request.is_rejudging for request in self._requests)

    def begin_save(self, *, goes_on: bool = False, leaves: bool = False) -> None:
        """What becomes due from now on is the doing of a new save.

        `goes_on`: it is still the same one. `leaves`: another process that runs here sees to what
        is due already. Runs that nobody saved for, on or waiting, are the doing of no save.
        """
        if not goes_on:
            on = self.run.pending.keys() if self.run is not None else frozenset[CaseKey]()
            self.due.of_save.begin(leaves=leaves, on=on | self._requests.keys)
            self._saved = ()
            self._wanted.audit.begin_save()
        if self.run is not None:
            self.run.request = self.run.request.after_a_save()
        self._requests.begin_save()

    async def load_history(self) -> None:
        """Have the board know earlier results and baselines. Raises UserError and HistoryError."""
        await self._earlier.load()

    def enqueue(self, request: RunRequest) -> None:
        """Run the request after those before it."""
        if request.keys:
            self._requests.add(request)
            self._wake()

    def rejudge(
        self, keys: Iterable[CaseKey], trigger: tuple[str, ...] = (), *, asked_at: float = 0.0
    ) -> None:
        """Judge the kept answers of these cases again, after the runs before; ask nobody.

        Cases whose answer would be another now are left as they are. `asked_at`: when a person did.
        """
        self._judge(self._wanted.to_judge(keys, trigger, asked_at=asked_at))

    def run_due(self, cause: Cause, trigger: tuple[str, ...] = ()) -> None:
        """Judge again what takes no asking, and run what is due, if the guard of money lets it.

        A run in progress that the change touches is superseded. For a save that is what the save
        made due, and nothing else.
        """
        if self._state.unusable:
            return
        is_opening = cause is Cause.OPENED
        self._wanted.held.clear()
        to_judge = self.to_run.to_judge() if is_opening else self.to_run.to_judge_of_save()
        self._rejudge_due(cause, trigger, to_judge)
        self._saved = trigger or self._saved
        if self.configured.lacks:
            self._wanted.held.release()
            return
        pending = self.run.pending.keys() if self.run is not None else None
        request = self._wanted.of_change(cause, trigger, pending, self._requests.keys)
        if request is not None:
            self._take_up(request, is_opening=is_opening)

    def _take_up(self, request: RunRequest, *, is_opening: bool) -> None:
        """Run it after the run in progress, or in place of that where the change touches it."""
        run = self.run
        if run is None or run.request.is_rejudging:
            self.enqueue(request)
        elif is_opening and run.request.trigger:
            self.enqueue(replace(request.without(run.pending), is_rest=True))
        elif self._superseding is not None:
            self._superseding = self._superseding.followed_by(request)
            run.end = self._end_of(run, self._superseding)
        elif request.keys.keys() - run.pending.keys() or is_touched(
            run.pending, run.project, self._state.project, self.agent
        ):
            self._superseding = request
            run.stop(self._end_of(run, request))

    def run_unlike(self) -> None:
        """Run again what another process ran by other files than are read here, as far as an
        opening would."""
        unlike = self.due.take_unlike()
        if not unlike or self._may_not_run:
            return
        to_judge = [key for key in self.to_run.to_judge() if key in unlike]
        self._rejudge_due(Cause.OPENED, (), to_judge, is_correction=True)
        self.enqueue(self._wanted.of_unlike(unlike))

    @property
    def _may_not_run(self) -> bool:
        """Whether something is missing without which nothing runs by itself."""
        state = self._state
        return bool(state.unusable or state.untrusted or self.configured.lacks)

    def _draw_more(self, run: Run, finished: RunFinished) -> None:
        """Nothing else is to be run: more drawn cases make the rest better known."""
        if self._requests or self._superseding is not None:
            return
        request = self._wanted.further_drawn(run.request, finished)
        if request is not None:
            self.enqueue(request)

    def _end_of(self, run: Run, later: RunRequest) -> RunEnd:
        """How a run ends of which, and of what comes after it, this is left."""
        if later.keys or run.request.left_of(self.due).keys() & run.pending.keys():
            return RunEnd.SUPERSEDED
        return RunEnd.UNDONE

    def _rejudge_due(
        self,
        cause: Cause,
        trigger: tuple[str, ...],
        to_judge: list[CaseKey],
        *,
        is_correction: bool = False,
    ) -> None:
        for request in self._wanted.judged_by_change(
            cause, trigger, to_judge, is_correction=is_correction
        ):
            self._judge(request)

    def _judge(self, request: RunRequest) -> None:
        """With another one that waits to be judged again, or after those before it."""
        if not self._requests.take_in(request):
            self.enqueue(request)

    def cancel(self) -> None:
        """Stop the run and forget the queue; unfinished cases stay due."""
        self._requests.clear()
        self._superseding = None
        if self.run is not None:
            self.run.stop(RunEnd.CANCELLED)

    async def execute(self, request: RunRequest) -> RunFinished:
        """Run one request now and wait for its end."""
        return await self._execute(self._new_run(request))

    async def close(self) -> None:
        self.cancel()
        if self._worker is not None:
            await asyncio.wait({self._worker})
        await self._earlier.close()
        await self.evidence.close()
        self.due.close()
        await self.agent.close()

    def _new_run(self, request: RunRequest) -> Run:
        panel = self._judges.panel(self.agent.name)
        return Run(
            request, self.agent, self.board, self._state, self._earlier, self._spending, panel
        )

    async def _execute(self, run: Run) -> RunFinished:
        eta_s = None
        if not run.request.is_rejudging:
            trials = run.request.trials
            eta_s = self._spending.estimator.estimate(
                [(self.agent, self.board)], run.pending, trials
            ).seconds
        self.run = run
        queued, is_saved = self._requests.keys, bool(run.request.trigger)
        self._wanted.held.begin_run(run.pending.keys(), queued, is_saved=is_saved)
        try:
            if asked_at := run.request.asked_at:
                await self._state.judge_anew(asked_at)
            finished = await run.execute(eta_s)
            self._draw_more(run, finished)
            return finished
        finally:
            self.run = None
            self._spending.budgets.tell()
            if run.held or not run.request.asks_judge:
                self._wanted.held.end_run(run.held)
            self._follow_superseded(run)
            self._follow_rejudged(run)
            self._release_held(run)
            if self.due.emit_late_ones():
                self._follow_late_ones(run)

    def _follow_late_ones(self, run: Run) -> None:
        """Answers that came after the save which has them asked or judged otherwise, for that save.

        Some come when their run is being stopped for it already.
        """
        by_save = self.to_run.to_judge_of_save()
        others = [key for key in self.to_run.to_judge() if key not in {*by_save}]
        if self._saved:  # else the save has not had anything run yet
            is_left = bool(self.to_run.of_save().keys() - self._requests.keys)
            if is_left and run.end is not RunEnd.CANCELLED:
                self.run_due(Cause.SAVED, self._saved)
            else:
                self._rejudge_due(Cause.SAVED, self._saved, by_save)
        self._rejudge_due(Cause.SAVED, run.request.trigger, others)

    def _release_held(self, run: Run) -> None:
        """Rubrics that waited for other cases are due when those pass, as by a save of theirs."""
        free = free_rubrics(self._state.project, self.board, self._state.mutes.reasons)
        self.due.release(free, by_save=bool(run.request.trigger))
        if free and run.request.trigger and run.end is RunEnd.COMPLETED:
            self.run_due(Cause.SAVED, run.request.trigger)

    def _follow_rejudged(self, run: Run) -> None:
        """Cases of which no answer is kept have to be asked: for a save, or where that is free."""
        self.due.miss_answers(run.lost, by_save=bool(run.request.trigger))
        if not run.lost or run.end is not RunEnd.COMPLETED:
            return
        if run.request.trigger:
            self.run_due(Cause.SAVED, run.request.trigger)
        elif is_free(self.agent, self.board) and not self._may_not_run:
            self.enqueue(self._wanted.of_lost(run.lost))

    def _follow_superseded(self, run: Run) -> None:
        """Queue what replaces a superseded run, and what that left undone."""
        request, self._superseding = self._superseding, None
        if request is not None:
            self._requests.supersede(run.request, run.pending, request, self.due)
            self._wake()

    def _wake(self) -> None:
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work(), name=f"queue of {self.agent.name}")

    async def _work(self) -> None:
        while self._requests:
            try:
                run = self._new_run(self._requests.pop().of_those_due(self.due))
                if run.pending:
                    await self._execute(run)
            except Exception as error:
                self._state.events.report(_broken_run(error))


def _broken_run(error: Exception) -> Problem:
    return Problem(
        file="",
        what=f"The run broke off: {type(error).__name__}: {error}",
        hint="What finished is kept; press r to run the rest again.",
        code="run-broken",
    )
