"""What the dashboard shows before a project is open, and while a recorded run is played."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NoReturn

from evaltui.core.case import CaseKey
from evaltui.core.config import Config
from evaltui.core.events import Event
from evaltui.core.result import CaseResult
from evaltui.core.sink import Fanout, Sink
from evaltui.core.watch_state import WatchState
from evaltui.store.store import Store
from evaltui.tui.sessions.session_protocol import not_open

if TYPE_CHECKING:
    from evaltui.core.permit import Grant
    from evaltui.disk.history.history_queries import HistoryEntry
    from evaltui.evidence.compared.side import Side
    from evaltui.evidence.gates.gate_decision import GateDecision
    from evaltui.expectations.call_diff import DiffTarget
    from evaltui.session.undo import UndoStack


class OfflineSession:
    """Settings and a store. To import a session that can run, and to read the settings of the
    project, takes longer than the first frame."""

    agents: tuple[str, ...] = ()
    other_runner = why_not_run = ""
    is_trusted, is_running, is_comparing = True, False, False

    def __init__(
        self, config: Config, store: Store | None = None, *, is_replay: bool = False
    ) -> None:
        self.state = WatchState.REPLAY if is_replay else WatchState.STARTING
        self.config = config
        self.store = store or Store()
        self._fanout = Fanout([self.store])

    @property
    def _owner(self) -> NoReturn:
        raise not_open(self)

    ab = requests = watch_loop = edits = baselines = background = history = fresh_pins = _owner

    @property
    def undo(self) -> UndoStack:
        """Nothing was done that could be undone."""
        from evaltui.session.undo import UndoStack

        return UndoStack()

    def why_not_ask(self, agent: str) -> str:  # noqa: ARG002
        return ""

    def gate(self, agent: str) -> GateDecision | None:  # noqa: ARG002
        return None

    async def results_side(self, agent: str) -> Side:  # noqa: ARG002
        raise not_open(self)

    async def pinned_side(self, agent: str) -> Side | None:  # noqa: ARG002
        return None

    def grants(self) -> tuple[Grant, ...]:
        return ()

    def agree(self, grants: Collection[Grant]) -> None:  # noqa: ARG002
        raise not_open(self)

    def add_sink(self, sink: Sink) -> None:
        self._fanout.add(sink)

    def remove_sink(self, sink: Sink) -> None:
        self._fanout.remove(sink)

    def emit(self, event: Event) -> None:
        self._fanout.handle(event)

    def flush(self) -> None:
        """Nothing is recorded."""

    async def open(self) -> None:
        """There is nothing to open."""

    async def watch(self) -> None:
        """Nothing changes."""

    async def close(self) -> None:
        """There is nothing to close."""

    def past(self, key: CaseKey, agent: str, limit: int = 20) -> Sequence[HistoryEntry]:  # noqa: ARG002
        return ()

    def earlier(self, key: CaseKey, agent: str, target: DiffTarget) -> CaseResult | None:  # noqa: ARG002
        return None

    def load_detail(self, key: CaseKey, agent: str) -> None:
        """Nothing is known beyond what the store has."""
