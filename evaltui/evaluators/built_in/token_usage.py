"""How many tokens a turn took."""

from evaltui.evaluators.built_in.define_built_in import define_built_in
from evaltui.evaluators.built_in.no_settings import NO_SETTINGS
from evaltui.evaluators.kit.evaltui import (
    EvaluationResult,
    EvaluatorContext,
    measured,
    skipped,
)


@define_built_in("token-usage", label="Token Usage", kind="metric", config_schema=NO_SETTINGS)
def token_usage(ctx: EvaluatorContext) -> EvaluationResult:
    """Reports the tokens of the agent's turn, if the agent reports them."""
    usage = ctx.last_invocation.tokens_usage or {}
    total = usage.get("total_tokens")
    if total is None:
        return skipped("No token usage reported by connector")
    parts = (("in", usage.get("input_tokens")), ("out", usage.get("output_tokens")))
    said = ", ".join(f"{number} {way}" for way, number in parts if number is not None)
    return measured(total, f"{total} tokens ({said})" if said else f"{total} tokens", **usage)
