"""What a run spent, and the prices it learned, for the run that resumes it."""

from collections.abc import Mapping

from msgspec import Struct, field


class Spent(Struct, frozen=True):
    """Of one agent and those that judge its answers, with the runs before that it goes on with."""

    usd: float = 0.0
    dearest_usd: Mapping[str, float] = field(default_factory=dict)
    """The dearest answer, by who gave it: the agent, a judge."""
    lost: int = 0
    """Answers that did not come while no price was known."""
    loser: str = ""
    """Whose answer did so last."""
    unpriced: str = ""
    """Who answered, and nobody knows what it cost; empty where nobody did."""
    had_price: bool = False
    """Whether its profile stated a price nevertheless: the answer did not tell its tokens."""

    def with_more(self, other: "Spent") -> "Spent":
        """What both come to."""
        dearest = dict(self.dearest_usd)
        for name, usd in other.dearest_usd.items():
            dearest[name] = max(usd, dearest.get(name, 0.0))
        lost, loser = self.lost + other.lost, other.loser or self.loser
        # Of two that are missing, the one that stating a price does not help.
        is_own = not other.unpriced or (self.had_price and not other.had_price)
        last = self if is_own else other
        usd = self.usd + other.usd
        return Spent(usd, dearest, lost, loser, last.unpriced, last.had_price)
