"""The one owner of what time it is on the screen, so that no two ages on it disagree."""

import time

TICK_S = 1.0
"""How often ages are looked at; what is painted again is only what then reads otherwise."""


class AgeClock:
    """Stands still between two ticks. In seconds since the epoch."""

    def __init__(self) -> None:
        self._behind = 0.0
        """Of a recording: how long ago that was what is shown."""
        self.now = time.time()

    def read(self) -> float:
        """At the last tick."""
        return self.now

    def tick(self) -> tuple[float, float]:
        """Go on to this moment. Returns the moment before and this one."""
        before, self.now = self.now, time.time() - self._behind
        return before, self.now

    def show(self, at: float) -> None:
        """It is `at` now, and time goes on from there: a recording is played."""
        self._behind = time.time() - at
        self.now = at
