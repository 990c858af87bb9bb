"""A context with the keys of the evaluators' contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .evaluator_context import EvaluatorContext


def context_json(context: EvaluatorContext) -> dict[str, Any]:
    """All but the settings, as `EvaluatorContext.from_json` reads it; what is not known is left
    out."""
    scenario, persona, last = context.scenario, context.persona, context.last_invocation
    document: dict[str, Any] = {
        "messages": list(context.messages),
        "scenario": _known(
            name=scenario.name,
            instructions=scenario.instructions,
            maxMessages=scenario.max_messages,
        ),
        "lastInvocation": _known(
            latencyMs=last.latency_ms,
            messages=list(last.messages),
            tokensUsage=last.tokens_usage,
            costUsd=last.cost_usd,
            toolCallsReported=None if last.tells_tool_calls else False,
        ),
        "turn": context.turn,
        "isFinal": context.is_final,
    }
    if persona is not None:
        document["persona"] = _known(name=persona.name, description=persona.description)
    return document


def _known(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}
