"""What the router decided about one message, and all of its reasons."""

from msgspec import Struct

from evaltui.agents.embedded.filling import Filled
from evaltui.agents.embedded.gate import Terms
from evaltui.core.json_value import Json

OVERLAP = 0.10
"""Below this margin two tools overlap."""
TIE = 0.02
"""Below this margin the order is hardly better than chance."""


class Call(Struct, frozen=True):
    """One tool to call with what could be filled."""

    tool: str
    params: dict[str, Json]
    filled: tuple[Filled, ...]


class Candidate(Struct, frozen=True):
    """One of the best tools with the reasons for its probability."""

    tool: str
    p: float
    """Probability that the message calls it, from this tool and the message alone."""
    terms: Terms
    bm25: float
    matched: dict[str, tuple[str, ...]]
    """Fields in which each matched word of the message occurs."""
    against: tuple[str, ...]
    """Words of the message that its description says it is not for."""
    filled: tuple[Filled, ...]


class Decision(Struct, frozen=True):
    """Which tools to call, best candidates first; `margin` is p of the best minus the second."""

    calls: tuple[Call, ...]
    candidates: tuple[Candidate, ...]
    margin: float
    call_at: float
    warnings: tuple[str, ...]
    """Which tools compete for which words."""
    notes: tuple[str, ...] = ()
    """What of the message was not read."""

    @property
    def tools(self) -> tuple[str, ...]:
        return tuple(call.tool for call in self.calls)
