"""Whether the answer is as long as it should be."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from evaltui.evaluators.built_in.define_built_in import define_built_in
from evaltui.evaluators.config_schema import SchemaMistake
from evaltui.evaluators.kit.evaltui import (
    EvaluationResult,
    EvaluatorContext,
    failed,
    passed,
)

_COUNT: Final[dict[str, Any]] = {"type": "integer", "minimum": 0}
_UNITS = ("characters", "words")


@define_built_in(
    "response-length",
    label="Response Length",
    config_schema={
        "type": "object",
        "properties": {
            "min": {**_COUNT, "description": "fewest allowed"},
            "max": {**_COUNT, "description": "most allowed"},
            "unit": {"enum": [*_UNITS], "default": "characters", "description": "what is counted"},
        },
        "anyOf": [{"required": ["min"]}, {"required": ["max"]}],
        "additionalProperties": False,
    },
)
def response_length(ctx: EvaluatorContext) -> EvaluationResult:
    """The answer is neither too short nor too long, in characters or words."""
    unit = ctx.config["unit"]
    length = len(ctx.last_response.split() if unit == "words" else ctx.last_response)
    least, most = ctx.config.get("min", 0), ctx.config.get("max")
    if length < least:
        return failed(f"{length:,} {unit}, fewer than {least:,}", length=length)
    if most is not None and length > most:
        return failed(f"{length:,} {unit}, more than {most:,}", length=length)
    return passed(f"{length:,} {unit}", length=length)


def length_mistakes(config: Mapping[str, Any]) -> Iterator[SchemaMistake]:
    """Limits between which no length is."""
    least, most = config.get("min", 0), config.get("max")
    if most is not None and least > most:
        what = f"no answer has at least {least} and at most {most}"
        yield SchemaMistake(("max",), what, "Make `max` no less than `min`.")
