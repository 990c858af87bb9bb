"""The lines of all agents under test: made of the settings, filled with what is remembered."""

import asyncio
from collections.abc import Callable, Collection, Mapping

from evaltui.core.errors import Problem
from evaltui.core.events import Event, ResultsLoaded
from evaltui.session.agent_queue import AgentQueue
from evaltui.session.agent_set import ConfiguredAgent, make_agents, replace_lines
from evaltui.session.project_state import ProjectState
from evaltui.session.resources import SessionResources
from evaltui.session.run import Run, RunRequest
from evaltui.store.store import Store


class AgentQueues:
    """Makes the agents of the settings and gives each its line."""

    def __init__(
        self,
        sources: ProjectState,
        store: Store,
        emit: Callable[[Event], None],
        parts: Callable[[], SessionResources],
        clock: Callable[[], float],
    ) -> None:
        self.problems: tuple[Problem, ...] = ()
        """Why agents of the settings could not be made."""
        self._sources = sources
        self._store = store
        self._emit = emit
        self._parts = parts
        self._clock = clock
        self.by_name: Mapping[str, AgentQueue] = {}
        """In the order of the settings; another mapping once they changed."""
        self._new: list[AgentQueue] = []
        """Lines that remember nothing yet."""
        self._remembering: asyncio.Task[None] | None = None

    def chosen(self, agents: Collection[str] | None) -> list[AgentQueue]:
        """The lines of these agents; of all for `None`."""
        return [line for name, line in self.by_name.items() if agents is None or name in agents]

    def make(self, *, is_strict: bool = False) -> tuple[ConfiguredAgent, ...]:
        """The agents of the settings, without a line yet. Raises UserError when strict."""
        made = make_agents(self._sources.config, is_strict=is_strict, execute=self._sources.execute)
        self.problems = made.problems
        return made.agents

    async def take(self, agents: Collection[ConfiguredAgent]) -> None:
        """Make a line of each agent; one that is the same as before keeps its line.

        New ones know nothing until `remembered` was called.
        """
        before = self.by_name
        self.by_name = await replace_lines(before, agents, self._new_line)
        self._new = [line for name, line in self.by_name.items() if before.get(name) is not line]

    def remember(self) -> None:
        """Begin to read what new lines remember; `remembered` waits for it."""
        if self._new:
            lines, self._new = self._new, []
            self._remembering = asyncio.create_task(self._remember(lines), name="remember")

    async def remembered(self) -> None:
        """Wait until the boards of all lines know earlier results and baselines.

        Raises UserError and HistoryError.
        """
        self.remember()
        if self._remembering is not None:
            await asyncio.shield(self._remembering)

    async def close(self) -> None:
        if self._remembering is not None:
            self._remembering.cancel()
            await asyncio.gather(self._remembering, return_exceptions=True)
        for line in self.by_name.values():
            await line.close()

    async def _remember(self, lines: Collection[AgentQueue]) -> None:
        for line in lines:
            await self._restore(line)

    def _new_line(self, made: ConfiguredAgent) -> AgentQueue:
        board = self._store.board(made.agent.name)
        return AgentQueue(
            made.agent,
            board,
            self._emit,
            self._new_run,
            lambda: self._sources.project,
            made.made_of,
        )

    async def _restore(self, line: AgentQueue) -> None:
        parts, name = self._parts(), line.agent.name
        last = await asyncio.to_thread(parts.history.last_results, name)
        self._emit(ResultsLoaded(name, last.results, last.strips, last.numbered))
        await parts.pinning.restore(line, self._sources.project)
        await line.mark_stale()

    def _new_run(self, line: AgentQueue, wish: RunRequest) -> Run:
        parts = self._parts()
        return Run(
            wish,
            self._sources.config,
            self._sources.project,
            line.agent,
            line.board,
            parts.history,
            self._emit,
            parts.accepting.mutes,
            self.remembered,
            self._clock,
            profile=line.profile,
        )
