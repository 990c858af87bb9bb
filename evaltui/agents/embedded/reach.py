"""Which tools a message can reach: scores are local, so all others leave the decision alone."""

from typing import TypeAlias

from evaltui.agents.embedded.index import RegistryIndex
from evaltui.agents.embedded.message import LONGEST
from evaltui.agents.embedded.scoring import read_print
from evaltui.agents.embedded.tokens import read_tokens
from evaltui.agents.embedded.tool_document import ToolDocument

_Prints: TypeAlias = tuple[ToolDocument, dict[tuple[str, ...], str]]
"""By the stems of the tool that a message says."""
_NOBODY = frozenset[str]()
MOST_PRINTS = 2_000
"""Of one tool."""
MOST_KEPT = 50_000
"""Messages whose words are remembered; a day of edits brings ever new ones."""


class Reach:
    """Belongs to one index; messages read before are taken over from `before`."""

    def __init__(self, index: RegistryIndex, before: "Reach | None" = None) -> None:
        self.index = index
        self._stems: dict[str, tuple[str, ...]] = before._stems if before else {}
        known = before._prints if before else {}
        self._prints: dict[str, _Prints] = {
            name: known[name] if name in known and known[name][0] is document else (document, {})
            for name, document in index.documents.items()
        }

    def of(self, message: str) -> frozenset[str]:
        """Names of the tools that share a word with the message, as `scoring.weigh` asks."""
        holders = self.index.holders
        # Those of a message are but a few, and most messages have others.
        return _NOBODY.union(*[holders[s] for s in self.stems(message) if s in holders])

    def read_print(self, tool: str, message: str) -> str:
        """That of `scoring.read_print`; empty for a tool that is not there.

        Most messages say the same few words of a tool, and that is all that counts.
        """
        if tool not in self._prints:
            return ""
        document, known = self._prints[tool]
        terms, negative = document.terms, document.negative
        said = tuple([s for s in self.stems(message) if s in terms or s in negative])
        text = known.get(said)
        if text is None:
            if len(known) >= MOST_PRINTS:
                known.clear()
            text = known[said] = read_print(document, said)
        return text

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
