"""How many tools were called in a turn."""

from evaltui.evaluators.built_in.define_built_in import define_built_in
from evaltui.evaluators.built_in.no_settings import NO_SETTINGS
from evaltui.evaluators.kit.evaltui import (
    EvaluationResult,
    EvaluatorContext,
    measured,
    skipped,
)


@define_built_in(
    "tool-call-count",
    label="Tool Call Count",
    kind="metric",
    description="Counts tool calls in the agent's response. Requires a connector that returns"
    " tool_calls in messages (e.g. LangGraph).",
    config_schema=NO_SETTINGS,
)
def tool_call_count(ctx: EvaluatorContext) -> EvaluationResult:
    """Skipped where the agent does not report its calls."""
    if not ctx.last_invocation.tells_tool_calls:
        return skipped("The agent reports no tool calls")
    names = [call.name for call in ctx.tool_calls]
    reason = (
        f"{len(names)} tool call(s): {', '.join(names)}" if names else "No tool calls in this turn"
    )
    return measured(len(names), reason, toolCallCount=len(names), toolNames=names)
