"""When a failed call is sent again, and after how long."""

from collections.abc import Callable

from msgspec import Struct

from evaltui.core.errors import AgentError

INFINITE = float("inf")


def _random() -> float:
    import random

    return random.random()


class RetryPolicy(Struct, frozen=True):
    """Back-off for errors that the adapter calls retryable; nothing else is ever sent again."""

    max_retries: int = 4
    """Unless the error carries its agent's own number."""
    max_while_answering: int = 8
    """The same while others are answered whole: then it is chance that this one was not, as with
    streams that break off, and not the end of the server. It is no more, since what broke off may
    have to be paid each time."""
    first_delay_s: float = 0.5
    factor: float = 2.0
    longest_delay_s: float = 30.0
    patience_s: float = 120.0
    """A request that is only one too many is sent again as long as others get through: for so long
    after the last of them, twice what any rate by the minute needs."""
    longest_retry_after_s: float = 300.0
    """An endpoint that asks for more patience than this is given up at once."""
    random: Callable[[], float] = _random
    """0 … 1; tests put their own here."""

    def delay_s(
        self,
        error: AgentError,
        retries: int,
        idle_s: float = INFINITE,
        unanswered_s: float = INFINITE,
    ) -> float | None:
        """Seconds until the next attempt after `retries` earlier ones; `None`: give up.

        `idle_s`: since when no request at all got through; `unanswered_s`: since when none was
        answered whole.

        A `Retry-After` is the least that is waited, with up to a tenth on top, so that waiting
        cases do not come back all at once.
        """
        asked = error.retry_after_s
        usual = self.max_while_answering if unanswered_s < self.patience_s else self.max_retries
        most = usual if error.max_retries is None else error.max_retries
        if error.throttled and error.max_retries is None:
            if idle_s < self.patience_s:
                most = retries + 1
            elif asked is None and idle_s != INFINITE:
                most = 0  # the others waited for it long enough
        if not error.retryable or retries >= most:
            return None
        if asked is not None:
            if asked > self.longest_retry_after_s:
                return None
            return asked * (1 + self.random() / 10) + self.random() * self.first_delay_s / 10
        full = min(self.longest_delay_s, self.first_delay_s * self.factor ** min(retries, 60))
        # Never less than a fifth longer than the last time, however the dice fall.
        return full * (0.6 + self.random() * 0.4)
