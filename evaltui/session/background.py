"""Small background tasks, such as pinning, that nothing waits for."""

import asyncio
from collections.abc import Coroutine

from evaltui.core.errors import EvaltuiError, Problem
from evaltui.session.event_bus import EventBus


class Background:
    """What goes wrong becomes a problem."""

    def __init__(self, events: EventBus) -> None:
        self._events = events
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def cancel(self) -> None:
        """Let go of what is not done."""
        for task in tuple(self._tasks):
            task.cancel()

    async def _guarded(self, work: Coroutine[None, None, None]) -> None:
        try:
            await work
        except (OSError, EvaltuiError) as error:
            self._events.report(Problem("", str(error), "Nothing was changed."))
