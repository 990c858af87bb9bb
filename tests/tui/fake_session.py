"""A session that runs nothing: it notes what was requested and emits what a test tells it to."""

# ruff: noqa: ARG002

import time
from collections.abc import Collection, Coroutine, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from evaltui.core.baseline import NamedBaseline
from evaltui.core.case import CaseKey
from evaltui.core.config import Config
from evaltui.core.errors import UserError
from evaltui.core.events import CaseMuted, Event, WatchPaused, WatchResumed
from evaltui.core.file_edit import TextChange
from evaltui.core.permit import Grant
from evaltui.core.result import CaseResult
from evaltui.core.sink import Fanout, Sink
from evaltui.core.staleness import Degree
from evaltui.core.statistics.trials import Trials
from evaltui.core.watch_state import WatchState
from evaltui.disk.history.history_timeline import TimelinePoint
from evaltui.disk.history.past_results import PastResults
from evaltui.evidence.compared.side import Side
from evaltui.evidence.gates.gate_decision import GateDecision
from evaltui.expectations.call_diff import DiffTarget
from evaltui.session.fresh_pins import FreshPin
from evaltui.store.store import Store


@dataclass(frozen=True)
class FakeEstimate:
    cases: int = 0
    cost_usd: float | None = None
    seconds: float | None = None
    never_run: int = 0
    asks_first: bool = False
    left_usd: float | None = None
    is_taken_free: bool = False
    is_untold: bool = False

    @property
    def without_sum(self) -> str:
        return "cost unknown" if self.asks_first else "free"


@dataclass(frozen=True)
class FakeEdit:
    file: Path = Path("evals/get_weather.golden.json")
    title: str = "Accept the calls of gs-get-weather-003"
    text: TextChange | None = None
    diff: tuple[str, ...] = ("@@ -1 +1 @@", '-  "city": "Paris"', '+  "city": "Pariss"')
    left_out: tuple[str, ...] = ()
    still_fails: tuple[str, ...] = ()


class _Owner:
    """A part of the session, which notes there what was requested of it."""

    def __init__(self, session: "FakeSession") -> None:
        self._session = session


class FakeRequests(_Owner):
    def rerun(
        self,
        keys: Collection[CaseKey],
        *,
        agents: Collection[str] | None = None,
        trials: int | None = None,
        reason: str = "by hand",
        is_while_due: bool = False,
        confirms: bool = False,
        is_repeat: bool = False,
        is_by_outcome: bool = False,
    ) -> None:
        request = "confirm" if confirms else "rerun"
        self._session.repeats.append(is_repeat)
        self._session.by_outcome.append(is_by_outcome or is_repeat)
        self._session.requested.append((request, tuple(keys), trials, reason))
        self._session.asked_of.append(("rerun", tuple(agents or ())))

    def cancel(self) -> None:
        self._session.requested.append(("cancel",))

    def rejudge(self, keys: Collection[CaseKey], *, agents: Collection[str] | None = None) -> None:
        self._session.requested.append(("rejudge", tuple(keys), tuple(agents or ())))

    def has_due(self, agent: str) -> bool:
        return bool(self.due_keys(agent))

    def has_to_judge(self, agent: str) -> bool:
        return self.due_keys(agent) != self.due_keys(agent, to_judge=False)

    def due_keys(
        self,
        agent: str,
        *,
        possibly: bool = True,
        to_judge: bool = True,
        never_run: bool = True,
    ) -> tuple[CaseKey, ...]:
        without = {
            Degree.POSSIBLY: not possibly,
            Degree.TO_JUDGE: not to_judge,
            Degree.NEVER_RUN: not never_run,
        }
        rows = self._session.store.board(agent).rows.values()
        return tuple(row.key for row in rows if row.due and not without.get(row.due.degree))

    def estimate(
        self,
        keys: Collection[CaseKey],
        agents: Collection[str] | None = None,
        trials: int | None = None,
    ) -> FakeEstimate:
        return replace(self._session.estimated, cases=len(keys), seconds=12.0)

    def to_run(self, keys: Collection[CaseKey], agent: str) -> tuple[CaseKey, ...]:
        never = self._session.never_asked
        return tuple(key for key in keys if key not in never)

    def judging_estimate(self, keys: Collection[CaseKey], agent: str) -> FakeEstimate:
        return replace(self._session.judging, cases=len(keys))


class FakeWatchLoop(_Owner):
    def pending(self, agent: str) -> int:
        return self._session.pending

    def pause(self) -> None:
        self._session.state = WatchState.PAUSED
        self._session.emit(WatchPaused())

    def resume(self) -> None:
        self._session.state = WatchState.WATCHING
        self._session.emit(WatchResumed())


class FakeEdits(_Owner):
    def preview_accept(self, key: CaseKey, agent: str, what: str) -> FakeEdit:
        self._session.requested.append(("preview_accept", key, str(what)))
        return FakeEdit()

    def preview_capture(
        self, key: CaseKey, agent: str, *, bug_ref: str, case_id: str = ""
    ) -> FakeEdit:
        self._session.requested.append(("preview_capture", key, bug_ref))
        return FakeEdit()

    def apply(self, edit: Any) -> None:
        self._session.requested.append(("apply", edit.title))

    def mute(self, reason: str, *keys: CaseKey) -> None:
        self._session.requested.append(("mute", reason, *keys))
        self._session.emit(*(CaseMuted(key, reason) for key in keys))

    def unmute(self, *keys: CaseKey) -> None:
        self._session.requested.append(("unmute", *keys))
        self._session.emit(*(CaseMuted(key, "") for key in keys))


class FakeUndo(_Owner):
    @property
    def can_undo(self) -> str:
        return self._session.can_undo

    @property
    def can_redo(self) -> str:
        return self._session.can_redo

    def undo(self) -> str:
        raise UserError("The file was changed since.", "Undo it there.")

    def redo(self) -> str:
        return "pinned 3 cases"


class FakeBaselines(_Owner):
    async def pin(self, keys: Collection[CaseKey], agent: str, name: str = "") -> None:
        self._session.requested.append(("pin", tuple(keys), name))
        self._session.asked_of.append(("pin", (agent,)))

    async def pin_at(
        self, keys: Collection[CaseKey], agent: str, at: TimelinePoint, name: str
    ) -> None:
        self._session.requested.append(("pin_at", tuple(keys), at.number, name))

    async def unpin(self, keys: Collection[CaseKey], agent: str, name: str = "") -> None:
        self._session.requested.append(("unpin", tuple(keys), name))
        self._session.asked_of.append(("unpin", (agent,)))

    async def use(self, name: str, agent: str) -> None:
        self._session.requested.append(("use_baseline", name))

    def moved_cases(self, agent: str) -> Mapping[CaseKey, CaseKey]:
        return {}

    def gone(self, agent: str) -> set[CaseKey]:
        return set(self._session.gone)

    async def move(self, agent: str, moves: Mapping[CaseKey, CaseKey]) -> None:
        self._session.requested.append(("move_baseline", agent))

    def named(self, agent: str) -> tuple[NamedBaseline, ...]:
        return (
            NamedBaseline("default", 48, {time.time() - 10_900: 48}),
            NamedBaseline("before-rewrite", 12),
        )


class FakeFreshPins(_Owner):
    left: Mapping[CaseKey, str] = {}

    def why_not(self, agent: str) -> str:
        return ""

    def asked(self, keys: Collection[CaseKey], agent: str) -> tuple[CaseKey, ...]:
        return tuple(keys)

    async def pin(
        self, keys: Collection[CaseKey], agent: str, trials: int, name: str = ""
    ) -> FreshPin:
        self._session.requested.append(("pin_fresh", tuple(keys), trials))
        left = {key: why for key, why in self.left.items() if key in keys}
        return FreshPin({key: Trials(trials, 0) for key in keys if key not in left}, left)


class FakeBackground:
    def begin(self, work: Coroutine[None, None, None]) -> None:
        """At once: nothing of the fake waits."""
        with suppress(StopIteration):
            work.send(None)


class FakeHistory:
    def __init__(self) -> None:
        self.points: list[TimelinePoint] = []

    def whole(self, key: CaseKey, run_id: str) -> CaseResult | None:
        return None

    def timeline(self, agent: str, mutes: Collection[str]) -> list[TimelinePoint]:
        return self.points

    def results_between(
        self, agent: str, before: TimelinePoint | None, at: TimelinePoint
    ) -> PastResults:
        return PastResults((), (), ())


@dataclass
class FakeSession:
    """Satisfies `tui.session_protocol.SessionProtocol`; `requested` is every request in words."""

    config: Config = field(default_factory=lambda: Config(Path("/project")))
    store: Store = field(default_factory=Store)
    state: WatchState = WatchState.WATCHING
    pending: int = 0
    other_runner: str = ""
    why_not_run: str = ""
    why_not_asked: dict[str, str] = field(default_factory=dict)
    is_trusted: bool = True
    is_comparing: bool = False
    is_run_elsewhere: bool = False
    """Whether the runs on its boards are those of another process."""
    agents: tuple[str, ...] = ("embedded",)
    estimated: FakeEstimate = FakeEstimate()
    judging: FakeEstimate = FakeEstimate()
    never_asked: frozenset[CaseKey] = frozenset()
    can_undo: str = ""
    gone: tuple[CaseKey, ...] = ()
    """Pinned cases that are deleted by now."""
    can_redo: str = ""
    decision: GateDecision | None = None
    requested: list[tuple[Any, ...]] = field(default_factory=list)
    on_open: Iterable[Event] = ()
    unrecorded: int = 0
    """Events since the last `flush`."""
    repeats: list[bool] = field(default_factory=list)
    """Of what was to be run: whether what the last save did stays told."""
    by_outcome: list[bool] = field(default_factory=list)
    """Whether it was chosen by what it had come to."""
    asked_of: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    """The agents that requests are about, by the name of the request."""

    def __post_init__(self) -> None:
        self._fanout = Fanout([self.store])
        self.requests: Any = FakeRequests(self)
        self.ab: Any = None
        self.watch_loop: Any = FakeWatchLoop(self)
        self.edits: Any = FakeEdits(self)
        self.undo: Any = FakeUndo(self)
        self.baselines: Any = FakeBaselines(self)
        self.fresh_pins: Any = FakeFreshPins(self)
        self.background: Any = FakeBackground()
        self.history: Any = FakeHistory()

    def why_not_ask(self, agent: str) -> str:
        return self.why_not_asked.get(agent, "")

    @property
    def is_running(self) -> bool:
        boards = self.store.boards.values()
        return not self.is_run_elsewhere and any(board.runs.is_on for board in boards)

    def emit(self, *events: Event) -> None:
        for event in events:
            self._fanout.handle(event)
            self.unrecorded += 1

    def flush(self) -> None:
        self.unrecorded = 0

    def add_sink(self, sink: Sink) -> None:
        self._fanout.add(sink)

    def remove_sink(self, sink: Sink) -> None:
        self._fanout.remove(sink)

    def gate(self, agent: str) -> GateDecision | None:
        return self.decision

    async def results_side(self, agent: str) -> Side:
        raise UserError("This session has no results.", "Open a project.")

    async def pinned_side(self, agent: str) -> Side | None:
        return None

    def grants(self) -> tuple[Grant, ...]:
        return ()

    def agree(self, grants: Collection[Grant]) -> None:
        self.requested.append(("agree", grants))

    async def open(self) -> None:
        self.requested.append(("open",))
        self.emit(*self.on_open)

    async def watch(self) -> None:
        self.requested.append(("watch",))

    async def close(self) -> None:
        self.requested.append(("close",))

    def past(self, key: CaseKey, agent: str, limit: int = 20) -> list[Any]:
        return []

    def earlier(self, key: CaseKey, agent: str, target: DiffTarget) -> CaseResult | None:
        return None

    def load_detail(self, key: CaseKey, agent: str) -> None:
        self.requested.append(("load_detail", key))
