"""Takes a closer look at the project, such as lint, without holding up the runs."""

import asyncio
from contextlib import suppress

from evaltui.core.errors import Problem
from evaltui.core.events import (
    BaselinePinned,
    CaseFinished,
    CaseMuted,
    Event,
    ProjectRead,
    RunFinished,
)
from evaltui.core.sink import Sink
from evaltui.project import findings
from evaltui.session.agent_queues import AgentQueues
from evaltui.session.baselines import Baselines
from evaltui.session.project_state import ProjectState
from evaltui.session.watch_loop import WatchLoop

DEBOUNCE_S = 0.2
"""After a save, or the opening: it takes the processor from the cases that the save has run, and
from the first one, which may come as soon as anything is shown."""
WINDOW_S = 0.5
FLOOD = 250
"""Results in so long: whatever else is done then, they wait for it. Fewer leave room."""
LONGEST_S = 5.0
"""For which it gives way to saves, to a flood of results, and to kept answers that wait to be
judged again."""


class ProjectCheck(Sink):
    """One look at a time; a reading that comes meanwhile is looked at next. Each waits until
    nothing was read for a moment, and gives way to what was saved until it runs, to a flood of
    results and to the judging of kept answers, for which nobody else is waited for."""

    hears = frozenset({ProjectRead, BaselinePinned, CaseMuted, CaseFinished, RunFinished})

    def __init__(
        self,
        state: ProjectState,
        baselines: Baselines,
        queues: AgentQueues,
        watch_loop: WatchLoop,
    ) -> None:
        self._state, self._baselines, self._queues = state, baselines, queues
        self._watch_loop = watch_loop
        self._results = 0
        self._run_ended = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None
        self._is_due = False

    def follow(self) -> None:
        """Look at the last reading and at those to come; what is found becomes an event."""
        self._state.events.add_sink(self)
        self._begin()

    def handle(self, event: Event) -> None:
        if isinstance(event, CaseFinished):
            self._results += 1
        elif isinstance(event, RunFinished):
            self._run_ended.set()
        elif isinstance(event, ProjectRead | BaselinePinned | CaseMuted):
            self._begin()

    async def close(self) -> None:
        """Wait for nothing: what is being looked at is not told of any more."""
        self._state.git.end()
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    def _findings(self) -> tuple[Problem, ...]:
        project = self._state.project
        return findings(project, self._baselines.find_left_behind(project), self._state.git)

    def _begin(self) -> None:
        self._is_due = True
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look(), name="check of the project")

    async def _look(self) -> None:
        while self._is_due:
            self._is_due = False
            await asyncio.sleep(DEBOUNCE_S)
            await self._give_way()
            if self._is_due:
                continue
            try:
                found = await asyncio.to_thread(self._findings)
            except Exception as error:
                what = f"the project could not be checked: {type(error).__name__}: {error}"
                hint = "Please report this with the file that was saved last."
                self._state.events.report(Problem("", what, hint, code="check-broken"))
                return
            if not self._is_due:
                self._state.emit_checked(found)

    async def _give_way(self) -> None:
        """Wait while a save is looked into, results come in a flood, or kept answers are judged
        again."""
        loop = asyncio.get_running_loop()
        end, is_flood = loop.time() + LONGEST_S, True
        while loop.time() < end and (
            self._watch_loop.is_looking
            or self._queues.is_rejudging
            or (is_flood and self._queues.is_busy)
        ):
            before = self._results
            self._run_ended.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._run_ended.wait(), WINDOW_S)
            is_flood = self._results - before >= FLOOD
