"""Event listeners, and what happens when one of them raises."""

from collections.abc import Iterable
from typing import Protocol

from evaltui.core.errors import Problem
from evaltui.core.events import Event, ProblemFound


class Sink(Protocol):
    """Hears events in order, on the thread that emits; must return at once.

    One with an attribute `hears`, a set of event classes, hears only those: four events come with
    every case, and asking everybody each time is a twentieth of a fast run.
    """

    def handle(self, event: Event) -> None: ...


class Fanout:
    """Passes each event to the sinks that want it, in their order.

    A sink that raises is dropped, the rest go on.
    """

    def __init__(self, sinks: Iterable[Sink] = ()) -> None:
        self._sinks = list(sinks)
        self._listeners: dict[type[Event], tuple[Sink, ...]] = {}

    def add(self, sink: Sink) -> None:
        self.insert(len(self._sinks), sink)

    def insert(self, index: int, sink: Sink) -> None:
        """Let `sink` hear each event before those that stand at `index` and after."""
        self._sinks.insert(index, sink)
        self._listeners.clear()

    def remove(self, sink: Sink) -> None:
        if sink in self._sinks:
            self._sinks.remove(sink)
            self._listeners.clear()

    def handle(self, event: Event, *, but: Sink | None = None) -> None:
        """`but`: one that does not hear of it."""
        listeners = self._listeners.get(type(event))
        if listeners is None:
            listeners = self._listeners[type(event)] = self._listening(type(event))
        for sink in listeners:
            if sink is but:
                continue
            try:
                sink.handle(event)
            except Exception as error:
                self.remove(sink)
                self.handle(ProblemFound(_dropped(sink, error)))

    def _listening(self, kind: type[Event]) -> tuple[Sink, ...]:
        return tuple(sink for sink in self._sinks if kind in getattr(sink, "hears", (kind,)))


def _dropped(sink: Sink, error: Exception) -> Problem:
    name = type(sink).__name__
    return Problem(
        file="",
        what=f"`{name}` stopped: {type(error).__name__}: {error}",
        hint="The run goes on without it; fix the cause and start the run again.",
        code="sink-dropped",
    )
