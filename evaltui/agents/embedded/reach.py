"""Which tools a message can reach: scores are local, so all others leave the decision alone."""

from evaltui.agents.embedded.index import RegistryIndex
from evaltui.agents.embedded.message import LONGEST
from evaltui.agents.embedded.tokens import read_tokens

_NOBODY = frozenset[str]()
MOST_KEPT = 50_000
"""Messages whose words are remembered; a day of edits brings ever new ones."""


class Reach:
    """Belongs to one index; messages read before are taken over from `before`."""

    def __init__(self, index: RegistryIndex, before: "Reach | None" = None) -> None:
        self.index = index
        self._stems: dict[str, tuple[str, ...]] = before._stems if before else {}

    def of(self, message: str) -> frozenset[str]:
        """Names of the tools that share a word with the message, as `scoring.weigh` asks."""
        holders = self.index.holders
        # Those of a message are but a few, and most messages have others.
        return _NOBODY.union(*[holders[s] for s in self.stems(message) if s in holders])

    def stems(self, message: str) -> tuple[str, ...]:
        """Those of the message, sorted."""
        stems = self._stems.get(message)
        if stems is None:
            tokens = read_tokens(message[:LONGEST])
            stems = tuple(sorted({token.stem for token in tokens if token.stem}))
            if len(self._stems) >= MOST_KEPT:
                self._stems.clear()
            self._stems[message] = stems
        return stems
