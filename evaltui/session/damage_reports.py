"""Reports damaged files of ours, including those found before anything listens."""

import asyncio
from contextlib import suppress

from evaltui.core.errors import Problem
from evaltui.session.event_bus import EventBus


class DamageReports:
    """Holds back what is found while everything is opened, and tells the rest at once."""

    def __init__(self, events: EventBus) -> None:
        self._events = events
        self._loop: asyncio.AbstractEventLoop | None = None
        self._found: list[Problem] = []

    def report(self, problem: Problem) -> None:
        """Tell of a damaged file, from any thread, once `begin` was called."""
        if self._loop is None:
            self._found.append(problem)
        else:
            with suppress(RuntimeError):  # the loop ended meanwhile
                self._loop.call_soon_threadsafe(self._events.report, problem)

    def begin(self) -> None:
        """Tell of what was found so far, and from now on at once."""
        self._loop = asyncio.get_running_loop()
        for problem in self._found:
            self._events.report(problem)
        self._found.clear()
