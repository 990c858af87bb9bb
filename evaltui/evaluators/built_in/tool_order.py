"""Whether tools were called in an order."""

from evaltui.evaluators.built_in.define_built_in import define_built_in
from evaltui.evaluators.kit.evaltui import (
    EvaluationResult,
    EvaluatorContext,
    failed,
    passed,
)


@define_built_in(
    "tool-order",
    label="Tool Order",
    config_schema={
        "type": "object",
        "properties": {
            "tools": {
                "type": "array",
                "items": {"type": "string"},
                "minItems": 1,
                "description": "names of tools, in the order of their calls",
            },
            "mode": {
                "enum": ["exact", "subsequence"],
                "default": "subsequence",
                "description": "whether other calls may come between them",
            },
        },
        "required": ["tools"],
        "additionalProperties": False,
    },
)
def tool_order(ctx: EvaluatorContext) -> EvaluationResult:
    """Tools are called in this order; with `exact` no others are called."""
    wanted, called = [*ctx.config["tools"]], [call.name for call in ctx.tool_calls]
    order, said = " → ".join(wanted), " → ".join(called) or "nothing"
    if ctx.config["mode"] == "exact":
        is_held, missing = wanted == called, ""
    else:
        left = iter(called)
        missing = next((name for name in wanted if name not in left), "")
        is_held = not missing
    if is_held:
        return passed(f"called in order: {said}", expected=wanted, actual=called)
    what = f"`{missing}` does not come where it should; " if missing else ""
    return failed(f"{what}expected {order}, called {said}", expected=wanted, actual=called)
