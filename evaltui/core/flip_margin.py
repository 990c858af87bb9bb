"""How close an agent came to choosing other tools, by its own account."""

from msgspec import Struct

from evaltui.core.json_value import JsonObject
from evaltui.core.score_change import number_of, tools_of_explanation


class FlipMargin(Struct, frozen=True):
    """The least that would have made it choose otherwise; probabilities."""

    by: float
    """Never below 0."""
    chosen: str
    """The weakest tool that was called; empty when none was."""
    p: float
    other: str
    """What would have been called too or instead; empty for no tool at all."""
    other_p: float
    """For no tool at all, the probability from which on one is called."""


def flip_margin(explanation: JsonObject) -> FlipMargin | None:
    """`None` where the agent does not say how probable each tool was."""
    call_at, called = explanation.get("callAt"), explanation.get("called")
    if not isinstance(call_at, (int, float)) or not isinstance(called, (list, tuple)):
        return None
    weighed = [(name, number_of(tool.get("p"))) for name, tool in tools_of_explanation(explanation)]
    others = [(p, name) for name, p in weighed if name not in called]
    chosen = [(p, name) for name, p in weighed if name in called]
    best_other, other = max(others, default=(0.0, ""))
    if not chosen:
        return FlipMargin(max(0.0, call_at - best_other), "", call_at, other, best_other)
    p, name = min(chosen)
    if other and p - best_other <= p - call_at:
        return FlipMargin(max(0.0, p - best_other), name, p, other, best_other)
    return FlipMargin(max(0.0, p - call_at), name, p, "", call_at)
