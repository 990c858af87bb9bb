"""Delivers events: to the store first, then to the journal, then to front ends."""

import asyncio
import time
from collections.abc import Callable

from evaltui.core.errors import Problem
from evaltui.core.events import Event, ProblemFound
from evaltui.core.frame import FRAME_S
from evaltui.core.sink import Fanout, Sink
from evaltui.disk.journal.journal import Journal
from evaltui.store.store import Store


class EventBus:
    """All parts of a session emit here. Sinks get an event in the order in which they came."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self.store = store
        self.clock = clock
        """Seconds since the epoch."""
        self._fanout = Fanout([store])
        self._journal: Journal | None = None
        self._flush_due: asyncio.TimerHandle | None = None

    def begin_after(self, moment: float) -> None:
        """Have what happens from now on be later than `moment`, in seconds since the epoch: results
        of before must not count as newer ones where the clock was set back since."""
        wall = self.clock
        ahead = moment - wall()
        if ahead >= 0:
            self.clock = lambda: wall() + ahead + FRAME_S

    def add_sink(self, sink: Sink) -> None:
        self._fanout.add(sink)

    def remove_sink(self, sink: Sink) -> None:
        self._fanout.remove(sink)

    def record_in(self, journal: Journal) -> None:
        """From now on the journal gets every event before the sinks that print or paint it."""
        self._journal = journal
        self._fanout.insert(1, journal)

    def emit(self, event: Event) -> None:
        """Deliver at once, in order. The journal's file has it within a frame."""
        self._fanout.handle(event)
        if self._flush_due is None and self._journal is not None:
            loop = asyncio.get_running_loop()
            self._flush_due = loop.call_later(FRAME_S, self.flush)

    def relay(self, event: Event) -> None:
        """Deliver what happened in another process, whose journal has it."""
        self._fanout.handle(event, but=self._journal)

    def report(self, problem: Problem) -> None:
        """Emit a problem that was found outside the reading of the project."""
        self.emit(ProblemFound(problem, self.clock()))

    def flush(self) -> None:
        """Have the journal write what it holds back."""
        if self._flush_due is not None:
            self._flush_due.cancel()
            self._flush_due = None
        if self._journal is not None:
            self._journal.flush()
