"""The line: change → stale cases → run → events → store. Front ends wish here and hear events."""

import asyncio
import time
from collections.abc import Callable, Collection, Mapping

from evaltui.core.case import CaseKey
from evaltui.core.config import Config
from evaltui.core.errors import Problem
from evaltui.core.events import (
    Event,
    ProblemFound,
    ProjectRead,
    RunFinished,
    WatchPaused,
    WatchResumed,
)
from evaltui.core.sink import Fanout, Sink
from evaltui.core.staleness import Degree
from evaltui.core.watch_state import WatchState
from evaltui.disk.board_keeper import BoardKeeper
from evaltui.project import Project
from evaltui.session.agent_queue import AgentQueue
from evaltui.session.agent_queues import AgentQueues
from evaltui.session.case_commands import CaseCommands
from evaltui.session.estimate import Estimate, estimated
from evaltui.session.project_state import ProjectState
from evaltui.session.resources import SessionResources
from evaltui.session.run import RunRequest
from evaltui.session.watch_loop import WatchLoop
from evaltui.store.store import Store

FRAME_S = 1 / 30
"""As often as the screen paints."""


class Session(CaseCommands):
    """Everything that happens in one project, for any number of agents."""

    def __init__(
        self,
        config: Config,
        *,
        overrides: Mapping[str, object] | None = None,
        problems: Collection[Problem] = (),
        store: Store | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.store = store or Store()
        self.state = WatchState.OFF
        self._clock = clock
        self._sources = ProjectState(config, overrides or {}, problems)
        self._agents = AgentQueues(
            self._sources, self.store, self.emit, lambda: self.parts, self._clock
        )
        self._following = WatchLoop(
            self._sources,
            self._agents,
            lambda: self._is_paused,
            self._tell_project,
            self._tell_problem,
        )
        self._fanout = Fanout([self.store])
        self._flush_due: asyncio.TimerHandle | None = None
        self._parts: SessionResources | None = None
        self._keeper = BoardKeeper(config.root / ".evaltui", self.store)
        self._chores: set[asyncio.Task[None]] = set()

    @property
    def config(self) -> Config:
        """The settings in force, those of the last good reading."""
        return self._sources.config

    @property
    def agents(self) -> tuple[str, ...]:
        """Names of the agents under test; the first is shown first."""
        return tuple(self._lines)

    @property
    def project(self) -> Project:
        """The last good reading. Raises RuntimeError before `open`."""
        return self._sources.project

    @property
    def parts(self) -> SessionResources:
        """History, journal, baselines and edits. Raises RuntimeError before `open`."""
        if self._parts is None:
            raise RuntimeError("the session is not open")
        return self._parts

    @property
    def pending(self) -> int:
        """Cases that are due and wait because watching is paused."""
        return sum(len(line.due()) for line in self._lines.values()) if self._is_paused else 0

    def add_sink(self, sink: Sink) -> None:
        self._fanout.add(sink)

    def remove_sink(self, sink: Sink) -> None:
        self._fanout.remove(sink)

    def emit(self, event: Event) -> None:
        """Tell everyone; the store hears it first, the journal is on disk within a frame."""
        self._fanout.handle(event)
        if self._flush_due is None and self._parts is not None:
            loop = asyncio.get_running_loop()
            self._flush_due = loop.call_later(FRAME_S, self._flush_journal)

    async def open(self, *, is_strict: bool = False, meanwhile: bool = False) -> None:
        """Read the project and the last known results; runs nothing.

        An agent that cannot be made of the settings becomes a problem; with `is_strict` it raises
        UserError, as does a baseline that is not there. With `meanwhile` the last results and the
        baselines are read on while the caller runs cases already; a run waits for them at its end.
        """
        self.state = WatchState.STARTING
        self._parts = await asyncio.to_thread(
            SessionResources.open, lambda: self.config, self.store, self.emit, self._tell_problem
        )
        self._fanout.insert(1, self._parts.journal)
        await self._sources.open()
        agents = self._agents.make(is_strict=is_strict)
        self._tell_project(())
        if self._parts.history.problem is not None:
            self._tell_problem(self._parts.history.problem)
        self._parts.pinning.tell_problems()
        self._fanout.add(self._keeper)
        await self._agents.take(agents)
        if not meanwhile:
            await self._agents.remembered()
        self.state = WatchState.OFF

    async def close(self) -> None:
        """Cancel what runs, keep what finished, let go of agents and files."""
        self.state = WatchState.OFF
        self._following.stop()
        await self._agents.close()
        for chore in tuple(self._chores):
            chore.cancel()
        self._flush_journal()
        ends = [self._keeper.close(), self._sources.close()]
        if self._parts is not None:
            ends.append(asyncio.to_thread(self._parts.close))
        await asyncio.gather(*ends)

    async def watch(self) -> None:
        """Follow changes until closed: reread, mark, rerun. `open` comes first."""
        self.state = WatchState.WATCHING
        await self._following.follow()

    async def run(
        self,
        keys: Collection[CaseKey],
        *,
        agents: Collection[str] | None = None,
        trials: int | None = None,
        reason: str = "asked for",
    ) -> tuple[RunFinished, ...]:
        """Run the cases on every chosen agent and wait for the results."""
        wish = RunRequest(dict.fromkeys(keys), reason, trials=trials or self.config.trials)
        lines = self._agents.chosen(agents)
        finished = await asyncio.gather(*(line.execute(wish) for line in lines))
        await self._agents.remembered()
        return tuple(finished)

    def rerun(
        self,
        keys: Collection[CaseKey],
        *,
        agents: Collection[str] | None = None,
        trials: int | None = None,
        reason: str = "asked for",
    ) -> None:
        """Queue the cases; a run in progress goes on and these follow."""
        for line in self._agents.chosen(agents):
            line.enqueue(
                RunRequest(dict.fromkeys(keys), reason, trials=trials or self.config.trials)
            )

    def cancel(self) -> None:
        """Stop every run and forget what was queued; unfinished cases stay stale."""
        for line in self._lines.values():
            line.cancel()

    def pause(self) -> None:
        """Go on watching, run nothing by itself."""
        if self.state is WatchState.WATCHING:
            self.state = WatchState.PAUSED
            self.emit(WatchPaused())

    def resume(self) -> None:
        """Run at once what became due meanwhile."""
        if self._is_paused:
            self.state = WatchState.WATCHING
            self.emit(WatchResumed())
            self._following.run_changed()

    def stale_keys(self, agent: str, *, possibly: bool = True) -> tuple[CaseKey, ...]:
        """What watching would run for this agent now."""
        return tuple(
            case.key
            for case in self._lines[agent].stale
            if possibly or case.degree is Degree.AFFECTED
        )

    def estimate(
        self,
        keys: Collection[CaseKey],
        agents: Collection[str] | None = None,
        trials: int | None = None,
    ) -> Estimate:
        """What running the cases would take, from what they took last time."""
        return estimated(
            self._agents.chosen(agents),
            keys,
            trials=trials or self.config.trials,
            concurrency=self.config.concurrency,
        )

    @property
    def _lines(self) -> Mapping[str, AgentQueue]:
        return self._agents.by_name

    @property
    def _is_paused(self) -> bool:
        return self.state is WatchState.PAUSED

    def _flush_journal(self) -> None:
        if self._flush_due is not None:
            self._flush_due.cancel()
            self._flush_due = None
        if self._parts is not None:
            self._parts.journal.flush()

    def _tell_problem(self, problem: Problem) -> None:
        self.emit(ProblemFound(problem, self._clock()))

    def _tell_project(self, trigger: tuple[str, ...]) -> None:
        project = self.project
        problems = (*self._sources.problems, *self._agents.problems, *project.problems)
        self.emit(ProjectRead(project.suites, project.registry, problems, trigger, self._clock()))
