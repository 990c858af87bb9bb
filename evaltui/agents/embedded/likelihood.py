"""How likely a message calls one of a few tools, in the eyes of the router: a cheap first look."""

from collections.abc import Iterable

from evaltui.agents.embedded.filling import NOTHING_REQUIRED
from evaltui.agents.embedded.gate import sigmoid, terms
from evaltui.agents.embedded.index import build_index
from evaltui.agents.embedded.message import read_message
from evaltui.agents.embedded.scoring import weigh
from evaltui.core.tool import ToolDefinition


class Likelihood:
    """Of some tools; their parameters are not filled, which takes most of the time."""

    def __init__(self, tools: Iterable[ToolDefinition]) -> None:
        self._index = build_index(tools)

    def of(self, message: str) -> float:
        """The highest probability that one of the tools is called; 0 without a word in common."""
        reading = read_message(message, self._index.background)
        found = (weigh(document, reading) for document in self._index.sharing(reading.query))
        return max((sigmoid(terms(one, NOTHING_REQUIRED, 0.0).logit) for one in found), default=0.0)
