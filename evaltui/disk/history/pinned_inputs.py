"""What a pinned case is compared with, wherever the history of it is."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

from msgspec import Struct

from evaltui.core.case import CaseKey
from evaltui.core.statistics.trials import Trials


class PinnedInputs(Struct, frozen=True, gc=False):
    """What a pinned case is compared with."""

    same: str
    """Its inputs, as `SamePrints` tells them; empty where the copy does not say."""
    pinned_at: float
    """Seconds since the epoch."""
    fresh: Trials = Trials()
    """Made for the pin, whatever they came to: nobody chose them by their result."""
    asked: str = ""
    """What shaped its answer, as `SamePrints.asked` tells it."""
    earlier: tuple[CaseKey, ...] = ()
    """What the case was called before, the last name first: the history has trials of each."""
    is_of_agent: bool = True
    """Whether the agent was asked; of a trace it was not."""

    def names(self, key: CaseKey) -> tuple[CaseKey, ...]:
        """All names of the case that is called `key` by now."""
        return (key, *self.earlier)


Pins: TypeAlias = Mapping[CaseKey, PinnedInputs]
NO_PINS: Pins = MappingProxyType({})
