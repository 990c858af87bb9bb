"""Whether a tool was called with the right arguments."""

from collections.abc import Iterator, Mapping
from typing import Any

from evaltui.core.key_path import format_key
from evaltui.evaluators.built_in.argument_difference import difference
from evaltui.evaluators.built_in.argument_grammar import rule_mistakes
from evaltui.evaluators.built_in.define_built_in import define_built_in
from evaltui.evaluators.config_schema import SchemaMistake
from evaltui.evaluators.kit.evaltui import (
    EvaluationResult,
    EvaluatorContext,
    ToolUse,
    failed,
    passed,
)

MODES = ("exact", "subset", "superset", "ignore")


@define_built_in(
    "tool-arguments",
    label="Tool Arguments",
    config_schema={
        "type": "object",
        "properties": {
            "tool": {"type": "string", "minLength": 1, "description": "name of the tool"},
            "arguments": {
                "type": "object",
                "description": "for each name a value, or a rule: $any, $equals, $oneOf, $regex, "
                "$range, $near; rules may stand at any depth",
            },
            "mode": {
                "enum": [*MODES],
                "default": "subset",
                "description": "exact: these arguments and no others; subset: at least these; "
                "superset: at most these; ignore: arguments do not matter",
            },
        },
        "required": ["tool"],
        "additionalProperties": False,
    },
)
async def tool_arguments(ctx: EvaluatorContext) -> EvaluationResult:
    """A tool is called, and one of its calls has these arguments."""
    tool, wanted = ctx.config["tool"], ctx.config.get("arguments", {})
    mode = ctx.config["mode"]
    for mistake in argument_mistakes(ctx.config):
        raise ValueError(f"`{format_key(('config', *mistake.path))}`: {mistake.what}")
    calls = [call for call in ctx.tool_calls if call.name == tool]
    if not calls:
        called = ", ".join(call.name for call in ctx.tool_calls) or "nothing"
        return failed(f"`{tool}` was not called; called: {called}")
    nearest: list[str] | None = None
    for call in calls:
        found = [] if mode == "ignore" else await _differences(call, wanted, mode)
        if not found:
            return passed(f"`{tool}` was called with these arguments", arguments=call.arguments)
        if nearest is None or len(found) < len(nearest):
            nearest = found
    assert nearest is not None
    shown = "; ".join(nearest[:3]) + (f"; and {len(nearest) - 3} more" if nearest[3:] else "")
    return failed(f"`{tool}`: {shown}", expected=wanted, actual=[call.arguments for call in calls])


def argument_mistakes(config: Mapping[str, Any]) -> Iterator[SchemaMistake]:
    """Rules that are none."""
    for name, rule in config.get("arguments", {}).items():
        yield from rule_mistakes(("arguments", name), rule)


async def _differences(call: ToolUse, wanted: Mapping[str, Any], mode: str) -> list[str]:
    found: list[str] = []
    for name, rule in wanted.items():
        if name not in call.arguments:
            if mode != "superset":
                found.append(f"`{name}` is missing")
        elif said := await difference((name,), rule, call.arguments[name]):
            found.append(said)
    if mode in ("exact", "superset"):
        found += [f"`{name}` is not expected" for name in call.arguments if name not in wanted]
    return found
