"""The line: change → stale cases → run → events → store. Front ends wish here and hear events."""

import asyncio
import time
from collections.abc import Callable, Collection, Coroutine, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.accepting import Accepting
from evaltui.agent_line import AgentLine
from evaltui.agents import make_agent
from evaltui.config import Config
from evaltui.config_file.load import load_config
from evaltui.core.case import CaseKey
from evaltui.core.errors import EvaltuiError, Problem, UserError
from evaltui.core.events import (
    Event,
    ProblemFound,
    ProjectRead,
    ResultsLoaded,
    RunFinished,
)
from evaltui.core.file_edit import FileEdit
from evaltui.core.sink import Fanout, Sink
from evaltui.core.staleness import Degree
from evaltui.pinning import Pinning
from evaltui.project import Project, read_project
from evaltui.running import Run, Wish
from evaltui.store.history import History
from evaltui.store.history_queries import HistoryEntry
from evaltui.store.history_recording import RunRecord
from evaltui.store.journal import Journal
from evaltui.store.journal_reading import recover, settle
from evaltui.store.store import Store
from evaltui.store.undo import UndoStack

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


class Session:
    """Everything that happens in one project, for any number of agents."""

    def __init__(
        self,
        config: Config,
        *,
        overrides: Mapping[str, object] | None = None,
        problems: Collection[Problem] = (),
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.config = config
        self.store = Store()
        self.state = WatchState.OFF
        self._overrides = overrides or {}
        self._config_problems = tuple(problems)
        self._clock = clock
        self._fanout = Fanout([self.store])
        self._journal: Journal | None = None
        self._flush_due: asyncio.TimerHandle | None = None
        self._lines: dict[str, AgentLine] = {}
        self._project: Project | None = None
        self._history: History | None = None
        self._pinning: Pinning | None = None
        self._accepting: Accepting | None = None
        self._undo = UndoStack()
        self._watcher: Watcher | None = None
        self._chores: set[asyncio.Task[None]] = set()

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
    def history(self) -> History:
        """The index of past runs. Raises RuntimeError before `open`."""
        if self._history is None:
            raise RuntimeError("the session is not open")
        return self._history

    @property
    def pinning(self) -> Pinning:
        """The baselines. Raises RuntimeError before `open`."""
        if self._pinning is None:
            raise RuntimeError("the session is not open")
        return self._pinning

    @property
    def accepting(self) -> Accepting:
        """What changes the user's files. Raises RuntimeError before `open`."""
        if self._accepting is None:
            raise RuntimeError("the session is not open")
        return self._accepting

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
        if self._flush_due is None and self._journal is not None:
            loop = asyncio.get_running_loop()
            self._flush_due = loop.call_later(FRAME_S, self._flush_journal)

    async def open(self) -> None:
        """Read the project and the last known results; runs nothing.

        Raises UserError when no agent can be made of the settings.
        """
        self.state = WatchState.STARTING
        root = self.config.root
        self._history = await asyncio.to_thread(
            History.open, root / ".evaltui", root / self.config.output_dir
        )
        self._project = await asyncio.to_thread(read_project, self.config, None, None)
        self._journal = Journal(root / ".evaltui" / "runs", report=self._tell_problem)
        self._fanout.add(self._journal)
        await asyncio.to_thread(self._recover, self._journal.folder)
        self._pinning = Pinning(self.config, self._history, self._undo, self.emit)
        self._accepting = Accepting(self.config, self.store, self._undo, self.emit)
        self._tell_project(())
        if self._history.problem is not None:
            self._tell_problem(self._history.problem)
        await self._make_lines()
        self.state = WatchState.OFF

    async def close(self) -> None:
        """Cancel what runs, keep what finished, let go of agents and files."""
        self.state = WatchState.OFF
        if self._watcher is not None:
            self._watcher.stop()
        for line in self._lines.values():
            await line.close()
        for chore in tuple(self._chores):
            chore.cancel()
        self._flush_journal()
        if self._journal is not None:
            self._journal.close()
        if self._history is not None:
            await asyncio.to_thread(self._history.close)

    async def watch(self) -> None:
        """Follow changes until closed: reread, mark, rerun. `open` comes first."""
        from evaltui.watch import Watcher

        self.state = WatchState.WATCHING
        self._watcher = Watcher(self.config.root, self.config.watch)
        self._watcher.update(self.project.files_watched)
        for line in self._lines.values():
            if line.agent.is_free:
                self._run_due(line, ())
        async for paths in self._watcher.changes():
            try:
                await self._reread(paths)
            except UserError as error:
                self._tell_problem(Problem("", error.what, error.hint))
            self._watcher.update(self.project.files_watched)

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
            for line in self._lines.values():
                self._run_due(line, self.store.trigger)

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

    async def pin_now(self, keys: Collection[CaseKey], agent: str, name: str = "") -> None:
        """Make the last results of the cases the baseline. Raises OSError."""
        await self.pinning.pin(self._lines[agent], self.project, keys, name)

    async def unpin_now(self, keys: Collection[CaseKey], agent: str, name: str = "") -> None:
        """Forget the baseline of the cases. Raises OSError."""
        await self.pinning.unpin(self._lines[agent], keys, name)

    def pin(self, keys: Collection[CaseKey], agent: str, name: str = "") -> None:
        """Like `pin_now`, in the background; the answer is an event."""
        self._chore(self.pin_now(keys, agent, name))

    def unpin(self, keys: Collection[CaseKey], agent: str, name: str = "") -> None:
        """Like `unpin_now`, in the background; the answer is an event."""
        self._chore(self.unpin_now(keys, agent, name))

    def use_baseline(self, name: str, agent: str) -> None:
        """Compare with the baseline of that name from now on."""
        self._chore(self.pinning.use(name, agent))

    def baseline_names(self, agent: str) -> tuple[str, ...]:
        return self.pinning.names(agent)

    def preview_accept(self, key: CaseKey, agent: str, what: str) -> FileEdit:
        """The edit that makes the actual calls, or the description's hash, the expectation.

        `what` is `calls` or `description_hash`. Raises UserError when it makes no sense.
        """
        return self.accepting.preview_accept(key, agent, what, self.project)

    def preview_capture(
        self, key: CaseKey, agent: str, *, bug_ref: str, case_id: str = ""
    ) -> FileEdit:
        """The edit that adds the case to its tool's regression file. Raises UserError."""
        return self.accepting.preview_capture(
            key, agent, self.project, bug_ref=bug_ref, case_id=case_id
        )

    def apply(self, edit: FileEdit) -> None:
        """Write the edit. Raises UserError when the file changed since it was previewed."""
        self.accepting.apply(edit)

    def mute(self, key: CaseKey, reason: str) -> None:
        """Failures of the case do not count until it is unmuted. Raises UserError."""
        self.accepting.mute(key, reason)

    def unmute(self, key: CaseKey) -> None:
        self.accepting.unmute(key)

    def undo(self) -> str:
        """Take back the last pin, accept, mute or capture, and say which. Raises UserError."""
        return self._undo.undo()

    def redo(self) -> str:
        """Do again what was undone last, and say what. Raises UserError."""
        return self._undo.redo()

    def load_detail(self, key: CaseKey, agent: str) -> None:
        """Make sure the row has its verdicts and response; the answer is an event."""
        self._chore(self._load_detail(key, agent))

    def past(self, key: CaseKey, agent: str, limit: int = 20) -> list[HistoryEntry]:
        """The last results of one case, newest first."""
        return self.history.entries(key, agent, limit)

    @property
    def _is_paused(self) -> bool:
        return self.state is WatchState.PAUSED

    def _flush_journal(self) -> None:
        if self._flush_due is not None:
            self._flush_due.cancel()
            self._flush_due = None
        if self._journal is not None:
            self._journal.flush()

    def _tell_problem(self, problem: Problem) -> None:
        self.emit(ProblemFound(problem, self._clock()))

    def _recover(self, folder: Path) -> None:
        """Keep what runs of killed processes had finished."""
        for lost in recover(folder):
            started = lost.started
            if started is not None:
                self.history.record(RunRecord.of(started, lost.finished), lost.results)
            settle(lost)

    def _chore(self, work: Coroutine[None, None, None]) -> None:
        """Do something small beside the line; what goes wrong becomes a problem."""

        async def guarded() -> None:
            try:
                await work
            except (OSError, EvaltuiError) as error:
                self._tell_problem(Problem("", str(error), "Nothing was changed."))

        chore = asyncio.create_task(guarded())
        self._chores.add(chore)
        chore.add_done_callback(self._chores.discard)

    def _chosen(self, agents: Collection[str] | None) -> list[AgentLine]:
        return [line for name, line in self._lines.items() if agents is None or name in agents]

    async def _load_detail(self, key: CaseKey, agent: str) -> None:
        result = await asyncio.to_thread(self.history.detail, key, agent)
        if result is not None:
            self.emit(ResultsLoaded(agent, (result,)))

    async def _reread(self, paths: Collection[Path]) -> None:
        before = self.project
        if self.config.file and self.config.root / self.config.file in paths:
            read = await asyncio.to_thread(
                load_config, self.config.root, self._overrides, self.config
            )
            self.config, self._config_problems = read.config, read.problems
            await self._make_lines()
        self._project = await asyncio.to_thread(read_project, self.config, before, paths)
        trigger = self._project.changed_since(before)
        if not trigger and self._project.problems == before.problems:
            return
        self._tell_project(trigger)
        for line in self._lines.values():
            await line.mark_stale(trigger)
            self._run_due(line, trigger)

    def _run_due(self, line: AgentLine, trigger: tuple[str, ...]) -> None:
        if self._is_paused:
            return
        cost = self.estimate(line.due(), [line.agent.name]).cost_usd
        if cost is None or cost <= self.config.confirm_above:
            line.follow(trigger)

    def _tell_project(self, trigger: tuple[str, ...]) -> None:
        project = self.project
        problems = (*self._config_problems, *project.problems)
        self.emit(ProjectRead(project.suites, project.registry, problems, trigger, self._clock()))

    async def _make_lines(self) -> None:
        """Make the agents of the settings; those whose settings did not change stay."""
        lines: dict[str, AgentLine] = {}
        for profile in self.config.agents:
            agent = make_agent(
                profile.type,
                profile.name,
                profile.options,
                call_at=self.config.call_at,
                root=self.config.root,
            )
            old = self._lines.pop(agent.name, None)
            if old is not None and old.agent.fingerprint == agent.fingerprint:
                lines[agent.name] = old
                await agent.close()
                continue
            if old is not None:
                await old.close()
            board = self.store.board(agent.name)
            line = AgentLine(agent, board, self.emit, self._new_run, lambda: self.project)
            lines[agent.name] = line
            await self._restore(line)
        for gone in self._lines.values():
            await gone.close()
        self._lines = lines

    async def _restore(self, line: AgentLine) -> None:
        last = await asyncio.to_thread(self.history.last_results, line.agent.name)
        self.emit(ResultsLoaded(line.agent.name, last.results, last.strips, last.numbered))
        await self.pinning.restore(line, self.project)
        await line.mark_stale()

    def _new_run(self, line: AgentLine, wish: Wish) -> Run:
        return Run(
            wish,
            self.config,
            self.project,
            line.agent,
            line.board,
            self.history,
            self.emit,
            self.accepting.mutes,
            self._clock,
        )
