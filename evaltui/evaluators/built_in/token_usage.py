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
    usage = ctx.last_invocation.tokens_usage
    if usage is None:
        return skipped("No token usage reported by connector")
    total, tokens_in, tokens_out = (
        usage[key] for key in ("total_tokens", "input_tokens", "output_tokens")
    )
    return measured(total, f"{total} tokens ({tokens_in} in, {tokens_out} out)", **usage)
