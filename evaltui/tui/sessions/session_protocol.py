"""What the screen may ask of the session; everything it learns comes back as an event."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Protocol

from evaltui.core.case import CaseKey
from evaltui.core.config import Config
from evaltui.core.errors import UserError
from evaltui.core.events import Event
from evaltui.core.sink import Sink
from evaltui.core.watch_state import WatchState
from evaltui.store.board import Board
from evaltui.store.store import Store

if TYPE_CHECKING:
    from evaltui.core.permit import Grant
    from evaltui.core.result import CaseResult
    from evaltui.disk.history.history import History
    from evaltui.disk.history.history_queries import HistoryEntry
    from evaltui.evidence.compared.side import Side
    from evaltui.evidence.gates.gate_decision import GateDecision
    from evaltui.expectations.call_diff import DiffTarget
    from evaltui.session.background import Background
    from evaltui.session.baselines import Baselines
    from evaltui.session.edits import Edits
    from evaltui.session.fresh_pins import FreshPins
    from evaltui.session.requests import Requests
    from evaltui.session.side_by_side.ab import Ab
    from evaltui.session.undo import UndoStack
    from evaltui.session.watch_loop import WatchLoop


def board_of(session: SessionProtocol, agent: str) -> Board:
    """The board of an agent; empty, and not added to the store, while nothing is known of it."""
    board = session.store.boards.get(agent)
    return Board(agent) if board is None else board


def not_open(session: SessionProtocol) -> UserError:
    """Why nothing can be asked of a session before it is open, or while a recording is played."""
    if session.state is WatchState.REPLAY:
        return UserError("This is a recorded run.", "Open the project with `evaltui` to run.")
    if session.state is WatchState.PACK:
        return UserError("This is an evidence pack.", "Open the project with `evaltui` to run.")
    if session.state is WatchState.PAST:
        return UserError("This is the board of an earlier run.", "Esc returns to now.")
    return UserError("No project is open.", "Wait until it is read.")


class SessionProtocol(Protocol):
    """The session as the screen sees it. Only one that is open has the owners of what can be asked:
    others raise UserError where it is taken from them."""

    @property
    def config(self) -> Config: ...
    @property
    def store(self) -> Store: ...
    @property
    def state(self) -> WatchState: ...
    @property
    def agents(self) -> tuple[str, ...]: ...
    @property
    def other_runner(self) -> str:
        """The process that runs what is saved here, if it is another; else empty."""
        ...

    @property
    def why_not_run(self) -> str:
        """Why nothing can be run from here; empty when it can."""
        ...

    def why_not_ask(self, agent: str) -> str:
        """Why an agent cannot be asked from here; empty when it can, or as long as nobody knows."""
        ...

    @property
    def is_trusted(self) -> bool:
        """Whether somebody agreed to all that the settings want done; else nothing runs."""
        ...

    @property
    def is_running(self) -> bool:
        """Whether something is run from here, or waits for its turn."""
        ...

    @property
    def is_comparing(self) -> bool:
        """Whether two states are being compared side by side."""
        ...

    @property
    def requests(self) -> Requests: ...
    @property
    def ab(self) -> Ab: ...
    @property
    def watch_loop(self) -> WatchLoop: ...
    @property
    def edits(self) -> Edits: ...
    @property
    def undo(self) -> UndoStack: ...
    @property
    def baselines(self) -> Baselines: ...
    @property
    def fresh_pins(self) -> FreshPins: ...
    @property
    def background(self) -> Background: ...
    @property
    def history(self) -> History: ...
    def gate(self, agent: str) -> GateDecision | None:
        """Whether what is shown of an agent may be released; `None` where nothing says when, and as
        long as the results are being read."""
        ...

    async def results_side(self, agent: str) -> Side:
        """What is shown of an agent, as a side of a comparison of runs."""
        ...

    async def pinned_side(self, agent: str) -> Side | None:
        """What is pinned of it, likewise; `None` where nothing is."""
        ...

    def grants(self) -> tuple[Grant, ...]:
        """All that the settings want done besides reading files of the project."""
        ...

    def agree(self, grants: Collection[Grant]) -> None:
        """Remembers that these were agreed to."""

    def add_sink(self, sink: Sink) -> None: ...
    def remove_sink(self, sink: Sink) -> None: ...
    def emit(self, event: Event) -> None: ...
    def flush(self) -> None: ...
    async def open(self) -> None: ...
    async def watch(self) -> None: ...
    async def close(self) -> None: ...
    def past(self, key: CaseKey, agent: str, limit: int = 20) -> Sequence[HistoryEntry]:
        """The last results of one case, newest first."""
        ...

    def earlier(self, key: CaseKey, agent: str, target: DiffTarget) -> CaseResult | None:
        """The result of the earlier run that a diff is against, with its calls; `None` when it is
        not kept."""
        ...

    def load_detail(self, key: CaseKey, agent: str) -> None:
        """Asks for verdicts and answer of the last result; they come as `DetailLoaded`."""


def first_agent(session: SessionProtocol) -> str:
    """The agent that is shown first: of the session, else one of whom something is known, else of
    the settings."""
    known = (*session.agents, *session.store.boards)
    if known:
        return known[0]
    return session.config.agents[0].name if session.config.agents else ""
