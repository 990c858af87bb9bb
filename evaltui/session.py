"""The line: change → stale cases → run → events → store. Front ends wish here and hear events."""

import asyncio
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.agent_line import AgentLine
from evaltui.agent_set import MadeAgent, differ, files_of, make_agents, replace_lines
from evaltui.config import Config
from evaltui.config_file.load import load_config
from evaltui.core.case import CaseKey
from evaltui.core.errors import Problem, UserError
from evaltui.core.events import (
    Event,
    ProblemFound,
    ProjectRead,
    ResultsLoaded,
    RunFinished,
)
from evaltui.core.record import dataclass
from evaltui.core.response import ToolCall
from evaltui.core.sink import Fanout, Sink
from evaltui.core.staleness import Degree
from evaltui.project import SETTINGS_FILES, Project, read_project
from evaltui.quiet import WhenQuiet
from evaltui.running import Run, Wish
from evaltui.session_parts import Parts
from evaltui.store.board_keeper import BoardKeeper
from evaltui.store.store import Store
from evaltui.wishes import CaseWishes

if TYPE_CHECKING:
    from evaltui.watch import Watcher

FRAME_S = 1 / 30
"""As often as the screen paints."""


class WatchState(StrEnum):
    OFF = "off"
    STARTING = "starting"
    WATCHING = "watching"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would take; `None` where nothing is known yet."""

    cases: int
    cost_usd: float | None
    seconds: float | None


class Session(CaseWishes):
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
        self.config = config
        self.store = store or Store()
        self.state = WatchState.OFF
        self._overrides = overrides or {}
        self._config_problems = tuple(problems)
        self._agent_problems: tuple[Problem, ...] = ()
        self._clock = clock
        self._fanout = Fanout([self.store])
        self._flush_due: asyncio.TimerHandle | None = None
        self._lines: dict[str, AgentLine] = {}
        self._project: Project | None = None
        self._parts: Parts | None = None
        self._keeper = BoardKeeper(config.root / ".evaltui", self.store)
        self._watcher: Watcher | None = None
        self._chores: set[asyncio.Task[None]] = set()
        self._changed: set[str] = set()
        """Files that changed and led to no run yet."""
        self._is_changed = False
        """Whether anything did, settings included."""
        self._quiet = WhenQuiet(
            self._run_changed, lambda: self._watcher is not None and self._watcher.has_news
        )

    @property
    def agents(self) -> tuple[str, ...]:
        """Names of the agents under test; the first is shown first."""
        return tuple(self._lines)

    @property
    def project(self) -> Project:
        """The last good reading. Raises RuntimeError before `open`."""
        if self._project is None:
            raise RuntimeError("the session is not open")
        return self._project

    @property
    def parts(self) -> Parts:
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

    async def open(self, *, is_strict: bool = False) -> None:
        """Read the project and the last known results; runs nothing.

        An agent that cannot be made of the settings becomes a problem; with `is_strict` it raises
        UserError, as does a baseline that is not there.
        """
        self.state = WatchState.STARTING
        self._parts = await asyncio.to_thread(
            Parts.open, lambda: self.config, self.store, self.emit, self._tell_problem
        )
        self._fanout.insert(1, self._parts.journal)
        self._project = await asyncio.to_thread(read_project, self.config, None, None)
        agents = self._make_agents(is_strict=is_strict)
        self._tell_project(())
        if self._parts.history.problem is not None:
            self._tell_problem(self._parts.history.problem)
        self._fanout.add(self._keeper)
        await self._take(agents)
        self.state = WatchState.OFF

    async def close(self) -> None:
        """Cancel what runs, keep what finished, let go of agents and files."""
        self.state = WatchState.OFF
        self._quiet.stop()
        if self._watcher is not None:
            self._watcher.stop()
        for line in self._lines.values():
            await line.close()
        for chore in tuple(self._chores):
            chore.cancel()
        self._flush_journal()
        await self._keeper.close()
        if self._project is not None:
            await asyncio.to_thread(self._project.reader.close)
        if self._parts is not None:
            await asyncio.to_thread(self._parts.close)

    async def watch(self) -> None:
        """Follow changes until closed: reread, mark, rerun. `open` comes first."""
        from evaltui.watch import Watcher

        self.state = WatchState.WATCHING
        self._watcher = Watcher(self.config.root, self.config.watch)
        self._watcher.update(self._files_watched())
        loop, watcher = asyncio.get_running_loop(), self._watcher
        self.project.reader.on_change = lambda place: _tell_soon(loop, watcher, place)
        for place in self.project.registry.files:
            if "://" in place:  # it may have changed since it was read
                watcher.tell(Path(place))
        for line in self._lines.values():
            if line.agent.is_free:
                self._run_due(line, ())
        async for paths in self._watcher.changes():
            await self._follow(paths)
            self._watcher.update(self._files_watched())

    async def run(
        self,
        keys: Collection[CaseKey],
        *,
        agents: Collection[str] | None = None,
        trials: int | None = None,
        reason: str = "asked for",
    ) -> tuple[RunFinished, ...]:
        """Run the cases on every chosen agent and wait for the results."""
        wish = Wish(dict.fromkeys(keys), reason, trials=trials or self.config.trials)
        lines = self._chosen(agents)
        return tuple(await asyncio.gather(*(line.execute(wish) for line in lines)))

    def rerun(
        self,
        keys: Collection[CaseKey],
        *,
        agents: Collection[str] | None = None,
        trials: int | None = None,
        reason: str = "asked for",
    ) -> None:
        """Queue the cases; a run in progress goes on and these follow."""
        for line in self._chosen(agents):
            line.enqueue(Wish(dict.fromkeys(keys), reason, trials=trials or self.config.trials))

    def cancel(self) -> None:
        """Stop every run and forget what was queued; unfinished cases stay stale."""
        for line in self._lines.values():
            line.cancel()

    def pause(self) -> None:
        """Go on watching, run nothing by itself."""
        if self.state is WatchState.WATCHING:
            self.state = WatchState.PAUSED

    def resume(self) -> None:
        """Run at once what became due meanwhile."""
        if self._is_paused:
            self.state = WatchState.WATCHING
            self._run_changed()

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
        lines = self._chosen(agents)
        times = len(keys) * (trials or self.config.trials)
        costs: list[float] = []
        seconds: list[float] = []
        for line in lines:
            known = line.board.known_costs(keys)
            if known.seconds is not None:
                seconds.append(known.seconds * times / max(1, self.config.concurrency))
            if known.cost_usd is not None:
                costs.append(known.cost_usd * times)
        return Estimate(
            times * len(lines),
            sum(costs) if costs else None,
            max(seconds) if seconds else None,
        )

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

    def _chosen(self, agents: Collection[str] | None) -> list[AgentLine]:
        return [line for name, line in self._lines.items() if agents is None or name in agents]

    async def _follow(self, paths: Collection[Path]) -> None:
        """Read what was saved and tell what it affects; run that once the saving is over."""
        self._quiet.hold()
        try:
            await self._reread(paths)
        except UserError as error:
            self._tell_problem(Problem("", error.what, error.hint))
        if self._is_changed:
            self._quiet.release()

    async def _reread(self, paths: Collection[Path]) -> None:
        before = self.project
        is_set_anew = await self._reread_settings(paths)
        own_files = files_of(self._lines) & set(paths)
        self._project = await asyncio.to_thread(read_project, self.config, before, paths)
        changed = self._project.changed_since(before)
        tool_changes = self._project.tool_prints.changes_since(before.tool_prints)
        agents = self._make_agents() if is_set_anew or own_files else ()
        if own_files and differ(agents, self._lines):
            changed = (*changed, *map(before.shown, own_files))
            is_set_anew = True
        if not is_set_anew:
            for made in agents:
                await made.agent.close()
        self._changed.update(changed)
        trigger = tuple(sorted(self._changed))
        if is_set_anew:
            self._tell_project(trigger)
            await self._take(agents)
        elif changed or self._project.problems != before.problems:
            self._tell_project(trigger)
        else:
            return
        for line in self._lines.values():
            line.tool_changes = tool_changes or line.tool_changes
            await line.mark_stale(trigger)
        self._is_changed = True

    def _run_changed(self) -> None:
        """Run what changes made due; nothing while paused."""
        if self._is_paused:
            return
        trigger = tuple(sorted(self._changed))
        self._changed.clear()
        self._is_changed = False
        for line in self._lines.values():
            self._run_due(line, trigger)

    async def _reread_settings(self, paths: Collection[Path]) -> bool:
        """Whether settings, or what is wrong with them, differ from those in force."""
        names = (self.config.file,) if self.config.file else SETTINGS_FILES
        if not any(self.config.root / name in paths for name in names):
            return False
        read = await asyncio.to_thread(load_config, self.config.root, self._overrides, self.config)
        if (read.config, read.problems) == (self.config, self._config_problems):
            return False
        self.config, self._config_problems = read.config, read.problems
        return True

    def _files_watched(self) -> frozenset[Path]:
        return self.project.files_watched | files_of(self._lines)

    def _run_due(self, line: AgentLine, trigger: tuple[str, ...]) -> None:
        cost = self.estimate(line.due(), [line.agent.name]).cost_usd
        if cost is None or cost <= self.config.confirm_above:
            line.follow(trigger)

    def _tell_project(self, trigger: tuple[str, ...]) -> None:
        project = self.project
        problems = (*self._config_problems, *self._agent_problems, *project.problems)
        self.emit(ProjectRead(project.suites, project.registry, problems, trigger, self._clock()))

    def _make_agents(self, *, is_strict: bool = False) -> tuple[MadeAgent, ...]:
        made = make_agents(self.config, is_strict=is_strict, execute=self._execute)
        self._agent_problems = made.problems
        return made.agents

    async def _execute(self, call: ToolCall) -> ToolCall:
        """Execute a model's call on the live source of its tool."""
        return await self.project.reader.execute(call)

    async def _take(self, agents: Collection[MadeAgent]) -> None:
        """Make a line of each agent; one that is the same as before keeps its line."""
        before = self._lines
        self._lines = await replace_lines(before, agents, self._new_line)
        for name, line in self._lines.items():
            if before.get(name) is not line:
                await self._restore(line)

    def _new_line(self, made: MadeAgent) -> AgentLine:
        board = self.store.board(made.agent.name)
        return AgentLine(
            made.agent, board, self.emit, self._new_run, lambda: self.project, made.made_of
        )

    async def _restore(self, line: AgentLine) -> None:
        last = await asyncio.to_thread(self.parts.history.last_results, line.agent.name)
        self.emit(ResultsLoaded(line.agent.name, last.results, last.strips, last.numbered))
        await self.parts.pinning.restore(line, self.project)
        await line.mark_stale()

    def _new_run(self, line: AgentLine, wish: Wish) -> Run:
        return Run(
            wish,
            self.config,
            self.project,
            line.agent,
            line.board,
            self.parts.history,
            self.emit,
            self.parts.accepting.mutes,
            self._clock,
            profile=line.profile,
        )


def _tell_soon(loop: asyncio.AbstractEventLoop, watcher: "Watcher", place: str) -> None:
    """Pass on, from the thread of a live source, that it changed."""
    with suppress(RuntimeError):  # the loop has ended meanwhile
        loop.call_soon_threadsafe(watcher.tell, Path(place))
