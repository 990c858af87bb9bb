"""What the agent itself said last."""

from evaltui.core.case import TraceCase
from evaltui.core.json_value import Json

AGENTS = frozenset({"assistant", "agent"})
TOOL_EVENTS = frozenset({"tool_call", "tool_result"})


def final_output(case: TraceCase) -> Json:
    """`None` when it said nothing: what a tool said, or what was expected, is no answer."""
    for event in reversed(case.trace):
        if event.actor in AGENTS and event.type not in TOOL_EVENTS and event.output is not None:
            return event.output
    return None
