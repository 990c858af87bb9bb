"""One answer as evaluators see it: the shortest way to ask one in a test."""

from typing import Any

from evaltui.core.case_body import EvaluatorUse
from evaltui.core.check import CheckContext
from evaltui.core.response import AgentResponse, ToolCall, Usage
from evaltui.core.verdict import Verdict
from evaltui.evaluators.evaluator_check import evaluator_stage
from evaltui.evaluators.registry import EvaluatorRegistry, create_registry
from evaltui.judging.run_plan import run_plan
from tests.expectations.judging import make_case


def answered(
    text: str = "It is 22 degrees in Paris.",
    *calls: ToolCall,
    duration_ms: float = 100.0,
    usage: Usage | None = None,
    **more: Any,
) -> CheckContext:
    response = AgentResponse(text, calls, duration_ms, usage=usage, **more)
    return CheckContext(make_case({}), response)


async def verdict_by(
    type_: str,
    config: dict[str, Any] | None = None,
    context: CheckContext | None = None,
    registry: EvaluatorRegistry | None = None,
) -> Verdict:
    stage = evaluator_stage((EvaluatorUse(type_, config or {}),), registry or create_registry())
    (verdict,) = await run_plan((stage,), context or answered())
    return verdict
