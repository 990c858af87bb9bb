"""Acts once the saving is over: several saves in a row make one run."""

import asyncio
import time
from collections.abc import Callable

QUIET_S = 0.05
"""No save for so long: the saving is over. Three saves within 50 ms make one run."""
GRACE_S = 0.01
"""For news that the system has told and the event loop has not heard yet."""


class Debouncer:
    """Calls `act` some time after the last `hold`."""

    def __init__(self, act: Callable[[], None], has_news: Callable[[], bool]) -> None:
        self._act = act
        self._has_news = has_news
        self._timer: asyncio.TimerHandle | None = None
        self._held_at = 0.0

    def hold(self) -> None:
        """A save was heard of: wait."""
        self._held_at = time.monotonic()
        self.stop()

    def release(self) -> None:
        """The save was looked into; act when it has been quiet for long enough since `hold`."""
        self._within(QUIET_S - (time.monotonic() - self._held_at))

    def stop(self) -> None:
        """Do not act any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _within(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(max(GRACE_S, seconds), self._look)

    def _look(self) -> None:
        if self._has_news():
            self._within(GRACE_S)
        else:
            self._timer = None
            self._act()
