"""What the agent itself said last."""

from evaltui.core.case import TraceCase
from evaltui.core.json_value import Json


def final_output(case: TraceCase) -> Json:
    """`None` when it said nothing: what a tool said, or what was expected, is no answer."""
    for event in reversed(case.trace):
        if event.is_said_by_agent and event.output is not None:
            return event.output
    return None
