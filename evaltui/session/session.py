"""The line: change → stale cases → run → events → store. Front ends ask here and learn from events.

Nothing is computed here: a session makes its parts, opens and closes them, and passes on what is
asked of it. All of them share one `ProjectState`, and none knows the session.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import TYPE_CHECKING

from evaltui.core.baseline import NamedBaseline
from evaltui.core.case import CaseKey
from evaltui.core.config import Config
from evaltui.core.errors import Problem, UserError
from evaltui.core.events import DetailLoaded, Event, RunFinished
from evaltui.core.file_edit import FileEdit
from evaltui.core.permit import Grant
from evaltui.core.result import CaseResult
from evaltui.core.sink import Sink
from evaltui.core.staleness import Degree
from evaltui.core.watch_state import WatchState
from evaltui.disk.history_queries import HistoryEntry
from evaltui.disk.history_timeline import PastResults, TimelinePoint
from evaltui.disk.last_run import LastRun
from evaltui.project import Project, agree, all_grants
from evaltui.session.agent_queues import AgentQueues
from evaltui.session.background import Background
from evaltui.session.baselines import Baselines
from evaltui.session.edits import Edits
from evaltui.session.event_bus import EventBus
from evaltui.session.other_processes import OtherProcesses
from evaltui.session.project_check import ProjectCheck
from evaltui.session.project_state import ProjectState
from evaltui.session.run_request import RunRequest
from evaltui.session.spending import Cause, Estimate, Spending
from evaltui.session.undo import UndoStack
from evaltui.session.watch_loop import WatchLoop
from evaltui.session.who_runs import WhoRuns
from evaltui.store.store import Store

if TYPE_CHECKING:
    from evaltui.expectations.call_diff import DiffTarget
    from evaltui.scenarios.calibration import Calibration


class Session:
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
        self._events = EventBus(self.store, clock)
        self._project = ProjectState(config, overrides or {}, problems, self._events)
        self._undo = UndoStack()
        self._spending = Spending(self._project)
        self.baselines = Baselines(self._project, self._undo)
        self._edits = Edits(self._project, self._undo)
        self._queues = AgentQueues(self._project, self._spending, self.baselines)
        self._who = WhoRuns(self._project)
        self._watch_loop = WatchLoop(self._project, self._queues, self._who)
        self._others = OtherProcesses(
            self._project, self._queues, self.baselines, self._watch_loop, self._who
        )
        self._check = ProjectCheck(self._project, self.baselines)
        self._background = Background(self._events)

    @property
    def config(self) -> Config:
        """The settings in force, those of the last good reading."""
        return self._project.config

    @property
    def project(self) -> Project:
        """The last good reading. Raises RuntimeError before `open`."""
        return self._project.project

    @property
    def state(self) -> WatchState:
        return self._watch_loop.state

    @property
    def agents(self) -> tuple[str, ...]:
        """Names of the agents under test; the first is shown first."""
        return tuple(self._queues.by_name)

    @property
    def other_runner(self) -> str:
        """The process that runs what is saved here, if it is another: `pid 4711`; else empty."""
        return self._who.other

    @property
    def why_not_run(self) -> str:
        """Why nothing can be run from here; empty when it can."""
        return self._who.refusal

    @property
    def is_trusted(self) -> bool:
        """Whether somebody agreed to all that these settings want done; else nothing runs."""
        return not self._project.untrusted

    def grants(self) -> tuple[Grant, ...]:
        """All that the settings want done besides reading files of the project."""
        return all_grants(self.config)

    def agree(self, grants: Collection[Grant]) -> None:
        """Remember that these were agreed to, and take up what waited for it. Raises UserError."""
        agree(self.config.root, grants)
        self._background.begin(self._watch_loop.take_up_trust())

    @property
    def pending(self) -> int:
        """Cases that are due and wait because watching is paused."""
        if self.state is not WatchState.PAUSED:
            return 0
        queues = self._queues.by_name.values()
        return sum(len(queue.due()) + len(queue.to_judge()) for queue in queues)

    def add_sink(self, sink: Sink) -> None:
        self._events.add_sink(sink)

    def remove_sink(self, sink: Sink) -> None:
        self._events.remove_sink(sink)

    def emit(self, event: Event) -> None:
        """Tell everyone: the store first, then the journal, then the rest."""
        self._events.emit(event)

    def flush(self) -> None:
        """Have the journal's file hold everything that was told so far."""
        self._events.flush()

    async def open(
        self, *, is_strict: bool = False, meanwhile: bool = False, may_lack_secrets: bool = False
    ) -> None:
        """Read the project and the last known results; runs nothing.

        An agent that cannot be made of the settings becomes a problem; with `is_strict` it raises
        UserError, as does a baseline that is not there. With `meanwhile` the last results and the
        baselines are read on while the caller runs cases already; a run waits for them at its end.
        With `may_lack_secrets` secrets of agents need not be set, for whoever asks none of them.
        """
        self._watch_loop.state = WatchState.STARTING
        await self._project.open(keeps_unread=not is_strict)
        await self._queues.update(is_strict=is_strict, may_lack_secrets=may_lack_secrets)
        self._project.emit_reading()
        self._project.damage.begin()
        await self.baselines.open()
        if not meanwhile:
            await self._queues.load_history()
        self._watch_loop.state = WatchState.OFF

    async def close(self) -> None:
        """Cancel what runs, keep what finished, let go of agents and files."""
        self._watch_loop.stop()
        try:
            await self._others.close()
            await self._check.close()
            await self._queues.close()
            self._background.cancel()
            self._events.flush()
            await self._project.close()
        finally:  # last, so that whoever runs here next finds all of it on disk
            self._who.release()

    async def watch(self) -> None:
        """Follow changes until closed: reread, mark, rerun. `open` comes first.

        Of all processes that watch a project one runs; the others show what it does.
        """
        self._others.begin()
        self._check.follow()
        await self._watch_loop.follow()

    def pause(self) -> None:
        """Go on watching, run nothing by itself."""
        self._watch_loop.pause()

    def resume(self) -> None:
        """Run at once what became due meanwhile."""
        self._watch_loop.resume()

    async def run(
        self,
        keys: Collection[CaseKey],
        *,
        agents: Collection[str] | None = None,
        trials: int | None = None,
        reason: str = "evaltui run",
        is_rejudging: bool = False,
    ) -> tuple[RunFinished, ...]:
        """Run the cases on every chosen agent and wait for the results.

        With `is_rejudging` nobody is asked: kept answers are judged again, as by `rejudge`. Raises
        UserError where nobody agreed to what would be run and sent.
        """
        request = partial(self._request, keys, trials, reason, is_rejudging)
        return await self._queues.execute(
            {queue: request() for queue in self._queues.chosen(agents)}
        )

    async def go_on(self, rest: Mapping[str, RunRequest]) -> tuple[RunFinished, ...]:
        """Run what interrupted runs left, by agent, and wait for the results.

        Raises UserError where nobody agreed to what would be run and sent.
        """
        queues = self._queues.by_name
        return await self._queues.execute({queues[agent]: asked for agent, asked in rest.items()})

    async def last_run(self, agent: str) -> LastRun | None:
        """The agent's last run and what is left of it. Raises HistoryError."""
        return await asyncio.to_thread(self._project.record.history.last_run, agent)

    def rerun(
        self,
        keys: Collection[CaseKey],
        *,
        agents: Collection[str] | None = None,
        trials: int | None = None,
        reason: str = "by hand",
    ) -> None:
        """Queue the cases; a run in progress goes on and these follow.

        Raises UserError while another process runs here.
        """
        self._refuse_beside()
        for queue in self._queues.chosen(agents):
            if self._spending.may_run(Cause.ASKED, queue.agent, queue.board, keys):
                request = self._request(keys, trials, reason)
                request.is_by_news = True
                queue.enqueue(request)

    def rejudge(self, keys: Collection[CaseKey], *, agents: Collection[str] | None = None) -> None:
        """Judge kept answers again by the checks of now, without asking the agent.

        Cases that would be answered otherwise now are left as they are. Raises UserError while
        another process runs here.
        """
        self._refuse_beside()
        for queue in self._queues.chosen(agents):
            queue.rejudge(keys)

    def cancel(self) -> None:
        """Stop every run and forget what was queued; unfinished cases stay stale."""
        for queue in self._queues.by_name.values():
            queue.cancel()

    def has_stale(self, agent: str) -> bool:
        """Whether `stale_keys` holds any, at no cost: the keys in the footer ask in each frame."""
        return bool(self._queues.by_name[agent].stale)

    def stale_keys(
        self,
        agent: str,
        *,
        possibly: bool = True,
        to_judge: bool = True,
        never_run: bool = True,
    ) -> tuple[CaseKey, ...]:
        """What cannot be trusted of this agent's results now.

        Without what is only `possibly` affected, what has only `to_judge` its kept answer, and what
        was `never_run`.
        """
        passed_over = {
            Degree.POSSIBLY: not possibly,
            Degree.TO_JUDGE: not to_judge,
            Degree.NEVER_RUN: not never_run,
        }
        return tuple(
            case.key
            for case in self._queues.by_name[agent].stale.cases
            if not passed_over.get(case.degree, False)
        )

    def estimate(
        self,
        keys: Collection[CaseKey],
        agents: Collection[str] | None = None,
        trials: int | None = None,
    ) -> Estimate:
        """What running the cases would take, from what they took last time."""
        asked = [(queue.agent, queue.board) for queue in self._queues.chosen(agents)]
        return self._spending.estimate(asked, keys, trials)

    def pin(self, keys: Collection[CaseKey], agent: str, name: str = "") -> None:
        """Like `baselines.pin`, in the background; the answer is an event."""
        self._background.begin(self.baselines.pin(keys, agent, name))

    async def pin_at(
        self, keys: Collection[CaseKey], agent: str, at: TimelinePoint, name: str
    ) -> None:
        """Like `baselines.pin_at`."""
        await self.baselines.pin_at(keys, agent, at, name)

    def unpin(self, keys: Collection[CaseKey], agent: str, name: str = "") -> None:
        """Like `baselines.unpin`, in the background; the answer is an event."""
        self._background.begin(self.baselines.unpin(keys, agent, name))

    def moved_cases(self, agent: str) -> Mapping[CaseKey, CaseKey]:
        return self.baselines.moved_cases(agent)

    def move_baseline(self, agent: str) -> None:
        """Like `baselines.move`, in the background; the answer is an event."""
        self._background.begin(self.baselines.move(agent, self.moved_cases(agent)))

    def use_baseline(self, name: str, agent: str) -> None:
        """Like `baselines.use`, in the background; the answer is an event."""
        self._background.begin(self.baselines.use(name, agent))

    def named_baselines(self, agent: str) -> tuple[NamedBaseline, ...]:
        return self.baselines.named(agent)

    def earlier(self, key: CaseKey, agent: str, target: "DiffTarget") -> CaseResult | None:
        """What the last result is held against: the pinned one, or the one before."""
        from evaltui.expectations.call_diff import DiffTarget

        if target is DiffTarget.BASELINE:
            return self.baselines.detail(key, agent)
        return self._project.record.history.previous(key, agent)

    def past(self, key: CaseKey, agent: str, limit: int = 20) -> list[HistoryEntry]:
        """The last results of one case, newest first."""
        return self._project.record.history.entries(key, agent, limit)

    def whole(self, key: CaseKey, run_id: str) -> CaseResult | None:
        """The result of one run with verdicts and answer; `None` when it is not kept."""
        return self._project.record.history.whole(key, run_id)

    def timeline(self, agent: str) -> list[TimelinePoint]:
        """The last runs of an agent as points in time, newest first; from any thread."""
        return self._project.record.history.timeline(agent, tuple(self.store.mutes))

    def results_between(
        self, agent: str, before: TimelinePoint | None, at: TimelinePoint
    ) -> PastResults:
        """Like `History.results_between`; from any thread."""
        return self._project.record.history.results_between(agent, before, at)

    def load_detail(self, key: CaseKey, agent: str) -> None:
        """Make sure the row has its verdicts and response; the answer is an event."""
        self._background.begin(self._load_detail(key, agent))

    def preview_accept(self, key: CaseKey, agent: str, what: str) -> FileEdit:
        """The edit that makes the actual calls, or the description's hash, the expectation.

        `what` is `calls` or `description_hash`. Raises UserError when it makes no sense.
        """
        return self._edits.preview_accept(key, agent, what)

    def preview_capture(
        self, key: CaseKey, agent: str, *, bug_ref: str, case_id: str = ""
    ) -> FileEdit:
        """The edit that adds the case to its tool's regression file. Raises UserError."""
        return self._edits.preview_capture(key, agent, bug_ref=bug_ref, case_id=case_id)

    def apply(self, edit: FileEdit) -> None:
        """Write the edit. Raises UserError when the file changed since it was previewed."""
        self._edits.apply(edit)

    async def calibrate(self, keys: Collection[CaseKey]) -> "Calibration":
        """Have the judge score the known answers of these cases.

        Raises UserError without a judge, and where no answer is known.
        """
        return await self._queues.judges.calibrate(keys)

    def mute(self, key: CaseKey, reason: str) -> None:
        """Failures of the case do not count until it is unmuted. Raises UserError."""
        self._edits.mute(key, reason)

    def unmute(self, key: CaseKey) -> None:
        """Raises UserError for a case that the settings mute."""
        self._edits.unmute(key)

    @property
    def can_undo(self) -> str:
        """What `undo` would take back, in words; empty when there is nothing."""
        return self._undo.can_undo

    @property
    def can_redo(self) -> str:
        """What `redo` would do again, in words; empty when there is nothing."""
        return self._undo.can_redo

    def undo(self) -> str:
        """Take back the last pin, accept, mute or capture, and say which. Raises UserError."""
        return self._undo.undo()

    def redo(self) -> str:
        """Do again what was undone last, and say what. Raises UserError."""
        return self._undo.redo()

    def _refuse_beside(self) -> None:
        if self.why_not_run:
            raise UserError(f"Nothing was run: {self.why_not_run}.")

    def _request(
        self,
        keys: Collection[CaseKey],
        trials: int | None,
        reason: str,
        is_rejudging: bool = False,
    ) -> RunRequest:
        return RunRequest(
            dict.fromkeys(keys),
            reason,
            trials=trials or self.config.trials,
            is_rejudging=is_rejudging,
        )

    async def _load_detail(self, key: CaseKey, agent: str) -> None:
        result = await asyncio.to_thread(self._project.record.history.detail, key, agent)
        if result is not None:
            self.emit(DetailLoaded(agent, result))
