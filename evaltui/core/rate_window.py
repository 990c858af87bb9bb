"""Requests a minute, counted as they are sent."""

from collections import deque

from msgspec import Struct, field

_WINDOW_S = 60.0
_ON_THE_WAY_S = 3.0
"""A server counts a request when it arrives, of which only the sending is known: the first of a
minute may take so much longer than those of the next one."""


class RateWindow(Struct):
    """Never more than `per_minute` requests arrive in any 60 seconds; `None`: no limit."""

    per_minute: float | None = None
    _starts: deque[float] = field(default_factory=deque)

    def wait_s(self, now: float) -> float:
        """Seconds until one more may be sent; 0 when it may at once."""
        if self.per_minute is None:
            return 0.0
        starts = self._starts
        window = _WINDOW_S if self.per_minute >= 1 else _WINDOW_S / self.per_minute
        window += _ON_THE_WAY_S
        while starts and starts[0] <= now - window:
            starts.popleft()
        most = max(1, int(self.per_minute))
        return 0.0 if len(starts) < most else starts[-most] + window - now

    def count(self, now: float) -> None:
        """Note a request that is sent now."""
        if self.per_minute is not None:
            self._starts.append(now)
