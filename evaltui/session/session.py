"""The line: change → due cases → run → events → store. Front ends ask here and learn from events.

A session makes its parts, opens and closes them, and has them run what is asked for; whatever else
is asked, its owner answers. All of them share one `ProjectState`, and none knows the session.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from evaltui.core.case import CaseKey
from evaltui.core.config import Config
from evaltui.core.errors import Problem
from evaltui.core.events import DetailLoaded, Event, RunFinished
from evaltui.core.permit import Grant
from evaltui.core.result import CaseResult
from evaltui.core.sink import Sink
from evaltui.core.watch_state import WatchState
from evaltui.disk.history.history import History
from evaltui.disk.history.history_queries import HistoryEntry
from evaltui.project import Project, agree, all_grants
from evaltui.session.agent_queues import AgentQueues
from evaltui.session.background import Background
from evaltui.session.baselines import Baselines
from evaltui.session.edits import Edits
from evaltui.session.event_bus import EventBus
from evaltui.session.fresh_pins import FreshPins
from evaltui.session.interrupted_runs import InterruptedRuns
from evaltui.session.judge_in_force import JudgeInForce
from evaltui.session.judges import Judges
from evaltui.session.money.spending import Spending
from evaltui.session.other_processes import OtherProcesses
from evaltui.session.project_check import ProjectCheck
from evaltui.session.project_state import ProjectState
from evaltui.session.releasing import Releasing
from evaltui.session.requests import Requests
from evaltui.session.running.run_request import RunRequest
from evaltui.session.side_by_side.ab import Ab
from evaltui.session.trials.evidence import Evidence
from evaltui.session.undo import UndoStack
from evaltui.session.watch_loop import WatchLoop
from evaltui.session.who_runs import WhoRuns
from evaltui.store.store import Store

if TYPE_CHECKING:
    from evaltui.evidence.compared.side import Side
    from evaltui.evidence.gates.gate_decision import GateDecision
    from evaltui.expectations.call_diff import DiffTarget


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
        self.undo = UndoStack()
        judge = JudgeInForce(self._project)
        spending = Spending(self._project, judge)
        self.judges = Judges(self._project, judge, spending)
        self.baselines = Baselines(self._project, self.undo)
        self.edits = Edits(self._project, self.undo)
        self._queues = AgentQueues(self._project, spending, self.baselines, self.judges)
        self._who = WhoRuns(self._project)
        self.requests = Requests(self._project, self._queues, spending, self._who)
        self.interrupted = InterruptedRuns(self._project, self._queues)
        self.ab = Ab(self._project, self._queues, spending, self.judges, self._who)
        self.fresh_pins = FreshPins(self._project, self._queues, self.baselines)
        self.watch_loop = WatchLoop(self._project, self._queues, self._who)
        self._others = OtherProcesses(
            self._project, self._queues, self.baselines, self.watch_loop, self._who
        )
        self._check = ProjectCheck(self._project, self.baselines, self._queues, self.watch_loop)
        self.background = Background(self._events)
        self._releasing = Releasing(self._project, self.baselines, self.background)

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
        return self.watch_loop.state

    @property
    def history(self) -> History:
        """What is kept of all runs. Raises RuntimeError before `open`."""
        return self._project.record.history

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

    def why_not_ask(self, agent: str) -> str:
        """Why an agent cannot be asked from here; empty when it can."""
        return self._queues.why_not_ask(agent)

    @property
    def is_trusted(self) -> bool:
        """Whether somebody agreed to all that these settings want done; else nothing runs."""
        return not self._project.untrusted

    @property
    def is_running(self) -> bool:
        """Whether something is run from here, or waits for its turn."""
        return self._queues.is_busy

    @property
    def is_comparing(self) -> bool:
        """Whether two states are being compared side by side."""
        return self.ab.is_on

    def gate(self, agent: str) -> "GateDecision | None":
        """Whether the results of an agent may be released, by `config/gate.json`; `None` without
        such a file, and as long as the results are being read."""
        return self._releasing.gate(agent)

    async def results_side(self, agent: str) -> "Side":
        """What is shown of an agent, as a side of a comparison of runs. Raises HistoryError."""
        return await self._releasing.results_side(agent)

    async def pinned_side(self, agent: str) -> "Side | None":
        """What is pinned of an agent, likewise; `None` where nothing is."""
        return await self._releasing.pinned_side(agent)

    def evidence(self, agent: str) -> Evidence:
        """What the trials of one agent prove."""
        return self._queues.by_name[agent].evidence

    def grants(self) -> tuple[Grant, ...]:
        """All that the settings want done besides reading files of the project."""
        return all_grants(self.config)

    def agree(self, grants: Collection[Grant]) -> None:
        """Remember that these were agreed to, and take up what waited for it. Raises UserError."""
        agree(self.config.root, grants)
        self.background.begin(self.watch_loop.take_up_trust())

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
        self.watch_loop.state = WatchState.STARTING
        await self._project.open(keeps_unread=not is_strict)
        await self._queues.update(is_strict=is_strict, may_lack_secrets=may_lack_secrets)
        self._project.emit_reading()
        self._project.damage.begin()
        await self.baselines.open()
        if not meanwhile:
            await self._queues.load_history()
        self.watch_loop.state = WatchState.OFF

    async def close(self) -> None:
        """Cancel what runs, keep what finished, let go of agents and files."""
        self.watch_loop.stop()
        try:
            await self._others.close()
            await self._check.close()
            await self._queues.close()
            self.background.cancel()
            self._events.flush()
            await self._project.close()
        finally:  # last, so that whoever runs here next finds all of it on disk
            self._who.release()

    async def watch(self) -> None:
        """Follow changes until closed: reread, mark, rerun. `open` comes first.

        Of all processes that watch a project one runs; the others show what it does.
        """
        self._project.record.end_command()
        self._others.begin()
        self._check.follow()
        await self.watch_loop.follow()

    async def run(
        self,
        keys: Collection[CaseKey],
        *,
        agents: Collection[str] | None = None,
        trials: int | None = None,
        reason: str = "evaltui run",
        is_rejudging: bool = False,
        confirms: bool = False,
        is_by_outcome: bool = False,
        eval_id: str = "",
    ) -> tuple[RunFinished, ...]:
        """Run the cases on every chosen agent and wait for the results.

        With `confirms` what is undecided then is tried again, until nothing is or the budget ends.
        `is_by_outcome`: whether the cases were chosen by what they came to. `eval_id`: as of
        `RunStarted`.

        With `is_rejudging` nobody is asked: kept answers are judged again, as by
        `requests.rejudge`. All that is run like this is one command, but where the session watches:
        there it is a dashboard's run. Raises UserError where nobody agreed to what would be run and
        sent, and where none of the agents can be asked.
        """
        trials = trials or self.config.trials
        if self.watch_loop.state is WatchState.OFF:
            self._project.record.begin_command()
        asked_at = asyncio.get_running_loop().time()
        queues = self._queues.chosen(agents) if is_rejudging else self._queues.to_ask(agents)
        return await self._queues.execute(
            {
                queue: RunRequest(
                    dict.fromkeys(keys),
                    reason,
                    trials=trials,
                    is_rejudging=is_rejudging,
                    confirms="agreed" if confirms else "not",
                    by_outcome=frozenset(keys if is_by_outcome else ()),
                    eval_id=eval_id,
                    asked_at=asked_at,
                )
                for queue in queues
            }
        )

    def earlier(self, key: CaseKey, agent: str, target: "DiffTarget") -> CaseResult | None:
        """What the last result is held against: the pinned one, or the one before."""
        from evaltui.expectations.call_diff import DiffTarget

        if target is DiffTarget.BASELINE:
            return self.baselines.detail(key, agent)
        return self.history.previous(key, agent)

    def past(self, key: CaseKey, agent: str, limit: int = 20) -> list[HistoryEntry]:
        """The last results of one case, newest first."""
        return self.history.entries(key, agent, limit)

    def load_detail(self, key: CaseKey, agent: str) -> None:
        """Make sure the row has its verdicts and response; the answer is an event."""
        self.background.begin(self._load_detail(key, agent))

    async def _load_detail(self, key: CaseKey, agent: str) -> None:
        result = await asyncio.to_thread(self.history.detail, key, agent)
        if result is not None:
            self.emit(DetailLoaded(agent, result))
