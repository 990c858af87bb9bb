"""What other processes do in the project folder: who runs here, their runs, pins and mutes."""

import asyncio
import time

from msgspec.structs import replace

from evaltui.core.errors import EvaltuiError, Problem
from evaltui.core.events import (
    CaseFinished,
    DetailLoaded,
    Event,
    EvidenceWeighed,
    ProblemFound,
    RunEnd,
    RunFinished,
    RunStarted,
)
from evaltui.core.frame import TURN_S
from evaltui.session.agent_queues import AgentQueues
from evaltui.session.baselines import Baselines
from evaltui.session.project_state import ProjectState
from evaltui.session.running.earlier_calls import EarlierCalls
from evaltui.session.watch_loop import WatchLoop
from evaltui.session.who_runs import WhoRuns

LOOK_S = 0.1
"""A look is a handful of system calls as long as nobody wrote anything."""


class OtherProcesses:
    """Emits what they did as if it had been done here; nothing of it is recorded twice."""

    def __init__(
        self,
        state: ProjectState,
        queues: AgentQueues,
        baselines: Baselines,
        loop: WatchLoop,
        who: WhoRuns,
    ) -> None:
        self._state = state
        self._queues = queues
        self._loop = loop
        self._who = who
        self._baselines = baselines
        self._task: asyncio.Task[None] | None = None
        self._reported: set[str] = set()
        """What went wrong, each said once."""

    def begin(self) -> None:
        """Look from now on, again and again."""
        self._task = asyncio.create_task(self._follow(), name="other processes")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _follow(self) -> None:
        while True:
            try:
                await self._look()
            except Exception as error:
                self._complain(error)
            await asyncio.sleep(LOOK_S)

    def _complain(self, error: Exception) -> None:
        is_expected = isinstance(error, OSError | EvaltuiError)
        what = str(error) if is_expected else f"{type(error).__name__}: {error}"
        if what not in self._reported:
            self._reported.add(what)
            hint = "What other processes do here may be missing."
            self._state.events.report(Problem("", what, hint, code="other-processes"))

    async def _look(self) -> None:
        is_runner = self._who.claim()
        has_lost = await self._hear_runs()
        if is_runner and has_lost:
            await asyncio.to_thread(self._state.record.recover_lost)
        if is_runner:
            self._loop.take_over()
        self._state.emit_unloaded("mutes", self._state.mutes.follow())
        await self._baselines.follow(tuple(self._queues.by_name))

    async def _hear_runs(self) -> bool:
        """Show the runs of other processes. Returns whether one of them was killed."""
        turn, has_lost = time.perf_counter(), False
        for event in self._state.record.other_runs.news():
            has_lost |= isinstance(event, RunFinished) and event.end is RunEnd.LOST
            if isinstance(event, RunStarted) and event.trigger:
                await self._loop.read_for_other(event.trigger)
            self._relay(event)
            if isinstance(event, RunFinished):
                await self._read_before(event)
            if time.perf_counter() - turn > TURN_S:
                await asyncio.sleep(0)
                turn = time.perf_counter()
        return has_lost

    async def _read_before(self, finished: RunFinished) -> None:
        """Show in what the results of a run differ from those before, which nobody had at hand."""
        queue = self._queues.by_name.get(finished.agent)
        save = None if queue is None else queue.board.headline.save
        if queue is None or save is None or finished.run_id not in save.runs:
            return
        rows = [queue.board.rows[key] for key in save.keys if key in queue.board.rows]
        made = [queue.board.headline.compared(row, finished.run_id) for row in rows]
        earlier = EarlierCalls(self._state.record.history)
        await asyncio.to_thread(lambda: [earlier.before(one) for one in made])
        for before in earlier.read:
            self._state.events.relay(DetailLoaded(finished.agent, before))

    def _relay(self, event: Event) -> None:
        state = self._state
        match event:
            case ProblemFound(problem):
                if problem not in state.events.store.problems.reported:
                    state.events.relay(event)
                return
            case EvidenceWeighed():
                return  # trials are weighed here too, by all that this process knows
            case RunStarted():
                event = replace(event, reading=0)  # its readings are counted in its process
            case _:
                pass
        queue = self._queues.by_name.get(_agent_of(event))
        if queue is None:
            return  # nobody shows it here; its results are in the history
        state.events.relay(event)
        self._loop.hear_other(event)
        if isinstance(event, RunFinished):
            queue.due.emit_late_ones()
            if queue.due.has_unlike:
                self._loop.run_unlike_soon()


def _agent_of(event: Event) -> str:
    if isinstance(event, CaseFinished):
        return event.result.agent
    agent: str = getattr(event, "agent", "")
    return agent
