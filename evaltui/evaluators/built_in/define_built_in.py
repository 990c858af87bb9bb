"""How a built-in evaluator is defined: like any other, with the defaults in its schema."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from evaltui.evaluators.kit.evaltui import EvaluatorContext, EvaluatorDefinition, define_evaluator

Evaluate = Callable[[EvaluatorContext], Any]


def define_built_in(
    type_: str, *, config_schema: Mapping[str, Any], **options: Any
) -> Callable[[Evaluate], EvaluatorDefinition]:
    """`ctx.config` has each setting that the schema gives a `default`, also where nobody wrote it;
    `options` as of `define_evaluator`."""
    settings = config_schema.get("properties", {}).items()
    defaults = {name: one["default"] for name, one in settings if "default" in one}
    define = define_evaluator(type_, config_schema=config_schema, **options)

    def filled(evaluate: Evaluate) -> EvaluatorDefinition:
        @wraps(evaluate)
        def judge(ctx: EvaluatorContext) -> Any:
            return evaluate(ctx.with_config({**defaults, **ctx.config}))

        return define(judge if defaults else evaluate)

    return filled
