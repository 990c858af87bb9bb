"""When each case of a suite was pinned: one moment for most of them, and the exceptions."""

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaltui.disk.baselines.pins import Pin


def moment_of(pin: "Pin", case: str) -> float:
    """In seconds since the epoch; 0.0 when it is unknown."""
    return pin.pinned_apart.get(case, pin.pinned_at)


def most_and_apart(moments: Mapping[str, float]) -> tuple[float, Mapping[str, float]]:
    """`moments` by case id, as a pin has them: the commonest, of several the oldest; the others."""
    counts = Counter(moments.values())
    most = min(counts, key=lambda at: (-counts[at], at), default=0.0)
    return most, {case: at for case, at in moments.items() if at != most}
