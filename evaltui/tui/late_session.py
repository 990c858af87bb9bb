"""A session that is made after the first frame: importing one takes longer than painting one."""

import asyncio
from collections.abc import Callable
from importlib import import_module
from typing import Any

from evaltui.core.config import Config
from evaltui.core.events import Event
from evaltui.core.sink import Sink
from evaltui.core.watch_state import WatchState
from evaltui.store.store import Store


class LateSession:
    """Stands in for the session until `open`; from then on everything is asked of that one."""

    def __init__(self, config: Config, make: Callable[[Store], Any]) -> None:
        self._config, self._make = config, make
        self._made: Any = None
        self._sinks: list[Sink] = []
        self.store = Store()

    @property
    def config(self) -> Config:
        found: Config = self._made.config if self._made else self._config
        return found

    @property
    def state(self) -> WatchState:
        return WatchState(self._made.state) if self._made else WatchState.STARTING

    @property
    def pending(self) -> int:
        return int(self._made.pending) if self._made else 0

    @property
    def agents(self) -> tuple[str, ...]:
        return tuple(self._made.agents) if self._made else ()

    def add_sink(self, sink: Sink) -> None:
        if self._made:
            self._made.add_sink(sink)
        else:
            self._sinks.append(sink)

    def remove_sink(self, sink: Sink) -> None:
        if self._made:
            self._made.remove_sink(sink)
        else:
            self._sinks.remove(sink)

    def emit(self, event: Event) -> None:
        if self._made:
            self._made.emit(event)
            return
        self.store.handle(event)
        for sink in tuple(self._sinks):
            sink.handle(event)

    async def open(self) -> None:
        # In a thread, so that keys pressed meanwhile are answered.
        await asyncio.to_thread(import_module, "evaltui.session.session")
        made = self._make(self.store)
        for sink in self._sinks:
            made.add_sink(sink)
        self._made = made
        await made.open()

    async def close(self) -> None:
        if self._made:
            await self._made.close()

    def __getattr__(self, name: str) -> Any:
        made = self.__dict__.get("_made")
        if made is None:
            raise AttributeError(name)
        return getattr(made, name)
