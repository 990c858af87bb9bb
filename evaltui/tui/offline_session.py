"""What the dashboard shows before a project is open, and while a recorded run is played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaltui.core.case import CaseKey
from evaltui.core.config import Config
from evaltui.core.events import Event
from evaltui.core.result import CaseResult
from evaltui.core.sink import Fanout, Sink
from evaltui.core.watch_state import WatchState
from evaltui.store.store import Store
from evaltui.tui.session_protocol import Past, SessionProtocol

if TYPE_CHECKING:
    from evaltui.expectations.call_diff import DiffTarget


class OfflineSession(SessionProtocol):
    """Settings and a store. To import a session that can run, and to read the settings of the
    project, takes longer than the first frame."""

    agents: tuple[str, ...] = ()
    pending = 0
    other_runner = why_not_run = ""

    def __init__(
        self, config: Config, store: Store | None = None, *, is_replay: bool = False
    ) -> None:
        self._state = WatchState.REPLAY if is_replay else WatchState.STARTING
        self._config = config
        self._store = store or Store()
        self._fanout = Fanout([self._store])

    @property
    def config(self) -> Config:
        return self._config

    @property
    def state(self) -> WatchState:
        return self._state

    @property
    def store(self) -> Store:
        return self._store

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

    def past(self, key: CaseKey, agent: str, limit: int = 20) -> Sequence[Past]:  # noqa: ARG002
        return ()

    def earlier(self, key: CaseKey, agent: str, target: DiffTarget) -> CaseResult | None:  # noqa: ARG002
        return None

    def load_detail(self, key: CaseKey, agent: str) -> None:
        """Nothing is known beyond what the store has."""
