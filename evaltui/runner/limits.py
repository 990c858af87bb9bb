"""Limits that a person sets for one agent: requests a minute, and money."""

from collections import deque

from msgspec import Struct, field

from evaltui.core.config import AgentProfile, Config

_WINDOW_S = 60.0
_ROUNDING_USD = 1e-9


class Limits(Struct, frozen=True):
    """`None`: no limit."""

    max_requests_per_minute: float | None = None
    max_cost_usd: float | None = None


def limits_of(config: Config, profile: AgentProfile | None) -> Limits:
    """Those of the profile win over those for all agents.

    A replay asks nobody and spends nothing.
    """
    if config.recordings == "replay":
        return Limits()
    per_minute, cost_usd = config.max_requests_per_minute, config.max_cost_usd
    if profile is not None and profile.max_requests_per_minute is not None:
        per_minute = profile.max_requests_per_minute
    if profile is not None and profile.max_cost_usd is not None:
        cost_usd = profile.max_cost_usd
    return Limits(per_minute, cost_usd)


class RateWindow(Struct):
    """Never more than `per_minute` requests in any 60 seconds."""

    per_minute: float
    _starts: deque[float] = field(default_factory=deque)

    def wait_s(self, now: float) -> float:
        """Seconds until one more may start; 0 when it may at once."""
        starts = self._starts
        window = _WINDOW_S if self.per_minute >= 1 else _WINDOW_S / self.per_minute
        while starts and starts[0] <= now - window:
            starts.popleft()
        most = max(1, int(self.per_minute))
        return 0.0 if len(starts) < most else starts[-most] + window - now

    def count(self, now: float, requests: int = 1) -> None:
        """Note requests that start now; an attempt with several model calls counts them all."""
        self._starts.extend([now] * requests)


class Budget(Struct):
    """Stops before the next request would probably cost more than is left.

    The first request goes alone: only its answer tells what one costs.
    """

    max_cost_usd: float
    spent_usd: float = 0.0
    _answers: int = 0

    def is_spent(self) -> bool:
        return self.spent_usd >= self.max_cost_usd - _ROUNDING_USD

    def allows(self, in_flight: int) -> bool:
        """Whether one more may start now, beside those whose cost is not known yet."""
        if in_flight == 0:
            return not self.is_spent()
        if self._answers == 0:
            return False
        mean = self.spent_usd / self._answers
        return self.spent_usd + mean * in_flight < self.max_cost_usd - _ROUNDING_USD

    def count(self, cost_usd: float | None) -> None:
        self._answers += 1
        self.spent_usd += cost_usd or 0.0
