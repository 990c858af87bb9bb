"""One moment from which all ages on the screen are counted, so that no two of them disagree."""

import time

TICK_S = 1.0
"""How often ages are looked at; what is painted again is only what then reads otherwise."""


class AgeClock:
    """Stands still between two ticks."""

    def __init__(self) -> None:
        self.now = time.time()

    def read(self) -> float:
        """Seconds since the epoch, at the last tick."""
        return self.now

    def tick(self) -> tuple[float, float]:
        """Go on to this moment. Returns the moment before and this one."""
        before, self.now = self.now, time.time()
        return before, self.now
