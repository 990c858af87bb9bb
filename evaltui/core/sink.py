"""Who hears events, and what happens when a listener raises."""

from collections.abc import Iterable
from typing import Protocol

from evaltui.core.errors import Problem
from evaltui.core.events import Event, ProblemFound


class Sink(Protocol):
    """Hears every event in order, on the thread that emits; must return at once."""

    def handle(self, event: Event) -> None: ...


class Fanout:
    """Passes each event to all sinks in order; a sink that raises is dropped, the rest go on."""

    def __init__(self, sinks: Iterable[Sink] = ()) -> None:
        self._sinks = list(sinks)

    def add(self, sink: Sink) -> None:
        self._sinks.append(sink)

    def insert(self, index: int, sink: Sink) -> None:
        """Let `sink` hear each event before those that stand at `index` and after."""
        self._sinks.insert(index, sink)

    def remove(self, sink: Sink) -> None:
        if sink in self._sinks:
            self._sinks.remove(sink)

    def handle(self, event: Event) -> None:
        for sink in tuple(self._sinks):
            try:
                sink.handle(event)
            except Exception as error:
                self.remove(sink)
                self.handle(ProblemFound(_dropped(sink, error)))


def _dropped(sink: Sink, error: Exception) -> Problem:
    name = type(sink).__name__
    return Problem(
        file="",
        what=f"`{name}` stopped: {type(error).__name__}: {error}",
        hint="The run goes on without it; fix the cause and start the run again.",
        code="sink-dropped",
    )
