"""Whether a pattern occurs in the answer."""

from collections.abc import Iterator, Mapping
from typing import Any

from evaltui.core.key_path import KeyPath
from evaltui.evaluators.built_in.define_built_in import define_built_in
from evaltui.evaluators.config_schema import SchemaMistake
from evaltui.evaluators.kit.evaltui import (
    EvaluationResult,
    EvaluatorContext,
    failed,
    passed,
)
from evaltui.expectations.pattern import LIMIT_S, find_pattern, find_quickly, validate_pattern


@define_built_in(
    "regex",
    label="Regular Expression",
    config_schema={
        "type": "object",
        "properties": {
            "pattern": {"type": "string", "description": "JavaScript pattern, without flags"},
            "absent": {
                "type": "boolean",
                "default": False,
                "description": "whether the pattern must not occur",
            },
        },
        "required": ["pattern"],
        "additionalProperties": False,
    },
)
async def regex(ctx: EvaluatorContext) -> EvaluationResult:
    """A pattern occurs in the answer, or does not; tried in a process that can be killed."""
    pattern, is_absent = ctx.config["pattern"], ctx.config["absent"]
    is_found = await occurs(pattern, ctx.last_response)
    reason = f"/{pattern}/ {'occurs' if is_found else 'does not occur'} in the answer"
    return failed(reason) if is_found is is_absent else passed(reason)


def pattern_mistakes(config: Mapping[str, Any]) -> Iterator[SchemaMistake]:
    """A pattern that is none."""
    return invalid_pattern(("pattern",), config["pattern"])


def invalid_pattern(path: KeyPath, pattern: str) -> Iterator[SchemaMistake]:
    """What is wrong with a pattern at its place in the settings; nothing where it is one."""
    if wrong := validate_pattern(pattern):
        what = f"`{pattern}` is no pattern: {wrong}"
        yield SchemaMistake(path, what, "Write one of JavaScript; `\\(` is a bracket as such.")


async def occurs(pattern: str, text: str) -> bool:
    """Raises ValueError for a pattern that is none, or takes too long."""
    from evaltui.expectations import pattern_process

    try:
        found = find_quickly(pattern, text)
        return await find_pattern(pattern, text) if found is None else found
    except pattern_process.PatternInvalid as error:
        raise ValueError(f"invalid pattern /{pattern}/: {error}") from None
    except pattern_process.PatternTimeout:
        what = f"pattern /{pattern}/ did not finish within {LIMIT_S:g} s"
        raise ValueError(f"{what}; write it without nested repetition") from None
    except pattern_process.PatternCrash as error:
        raise ValueError(f"pattern /{pattern}/ could not be tried: {error}") from None
