"""Budgets of one turn: its time, its tokens, its cost."""

from typing import Any

from evaltui.evaluators.built_in.define_built_in import define_built_in
from evaltui.evaluators.kit.evaltui import (
    EvaluationResult,
    EvaluatorContext,
    failed,
    passed,
    skipped,
)


def _limit(key: str, description: str) -> dict[str, Any]:
    number = {"type": "number", "minimum": 0, "description": description}
    return {
        "type": "object",
        "properties": {key: number},
        "required": [key],
        "additionalProperties": False,
    }


@define_built_in(
    "latency-budget",
    label="Latency Budget",
    config_schema=_limit("maxMs", "time limit of a turn in milliseconds"),
    hard=False,
)
def latency_budget(ctx: EvaluatorContext) -> EvaluationResult:
    """The agent answers within a time limit."""
    took, limit = ctx.last_invocation.latency_ms, ctx.config["maxMs"]
    return _held(took, limit, f"{took:,.0f} ms", f"{limit:,.0f} ms", "latencyMs")


@define_built_in(
    "token-budget",
    label="Token Budget",
    config_schema=_limit("maxTokens", "most tokens that a turn may use, in and out"),
)
def token_budget(ctx: EvaluatorContext) -> EvaluationResult:
    """The agent's turn stays within a limit of tokens."""
    usage, limit = ctx.last_invocation.tokens_usage, ctx.config["maxTokens"]
    if not usage:
        return skipped("The agent told no tokens")
    total = usage.get("total_tokens")
    if total is None:
        total = sum(usage.values())
        if total <= limit:
            return skipped("The agent told only a part of its tokens")
    return _held(total, limit, f"{total:,} tokens", f"{limit:,g} tokens", "tokens")


@define_built_in(
    "cost-budget",
    label="Cost Budget",
    config_schema=_limit("maxUsd", "most US dollars that a turn may cost"),
    hard=False,
)
def cost_budget(ctx: EvaluatorContext) -> EvaluationResult:
    """The agent's turn stays within a limit of US dollars."""
    cost = ctx.last_invocation.cost_usd
    if cost is None:
        return skipped("The cost of the turn is not known")
    limit = ctx.config["maxUsd"]
    return _held(cost, limit, f"${cost:.6g}", f"${limit:.6g}", "costUsd")


def _held(used: float, limit: float, said: str, allowed: str, key: str) -> EvaluationResult:
    if used <= limit:
        return passed(f"{said} of at most {allowed}", **{key: used, "limit": limit})
    return failed(
        f"{said}, more than the {allowed} that are allowed", **{key: used, "limit": limit}
    )
