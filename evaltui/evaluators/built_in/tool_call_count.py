"""How many tools were called in a turn."""

from evaltui.evaluators.built_in.no_settings import NO_SETTINGS
from evaltui.evaluators.kit.evaltui import (
    EvaluationResult,
    EvaluatorContext,
    define_evaluator,
    measured,
    skipped,
)


@define_evaluator(
    "tool-call-count", label="Tool Call Count", kind="metric", config_schema=NO_SETTINGS
)
def tool_call_count(ctx: EvaluatorContext) -> EvaluationResult:
    """Counts the tool calls of the agent's turn, where the agent reports them."""
    if not ctx.last_invocation.tells_tool_calls:
        return skipped("The agent reports no tool calls")
    names = [call.name for call in ctx.tool_calls]
    reason = (
        f"{len(names)} tool call(s): {', '.join(names)}" if names else "No tool calls in this turn"
    )
    return measured(len(names), reason, toolCallCount=len(names), toolNames=names)
