"""When a failed call is sent again, and after how long."""

from collections.abc import Callable

from msgspec import Struct

from evaltui.core.errors import AgentError


def _random() -> float:
    import random

    return random.random()


class RetryPolicy(Struct, frozen=True):
    """Back-off for errors that the adapter calls retryable; nothing else is ever sent again."""

    max_retries: int = 4
    """Unless the error carries its agent's own number."""
    first_delay_s: float = 0.5
    factor: float = 2.0
    longest_delay_s: float = 30.0
    longest_retry_after_s: float = 300.0
    """An endpoint that asks for more patience than this is given up at once."""
    random: Callable[[], float] = _random
    """0 … 1; tests put their own here."""

    def delay_s(self, error: AgentError, retries: int) -> float | None:
        """Seconds until the next attempt after `retries` earlier ones; `None`: give up.

        A `Retry-After` is the least that is waited, with up to a tenth on top, so that waiting
        cases do not come back all at once.
        """
        most = self.max_retries if error.max_retries is None else error.max_retries
        if not error.retryable or retries >= most:
            return None
        asked = error.retry_after_s
        if asked is not None:
            if asked > self.longest_retry_after_s:
                return None
            return asked * (1 + self.random() / 10) + self.random() * self.first_delay_s / 10
        full = min(self.longest_delay_s, self.first_delay_s * self.factor**retries)
        # Never less than a fifth longer than the last time, however the dice fall.
        return full * (0.6 + self.random() * 0.4)
