"""Whether the answer is JSON, and of the right shape."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from evaltui.core.finite_json import decode_json
from evaltui.core.key_path import format_key
from evaltui.evaluators.built_in.define_built_in import define_built_in
from evaltui.evaluators.built_in.json_grammar import BLANKS, is_json
from evaltui.evaluators.config_schema import ConfigSchema, SchemaMistake, schema_of
from evaltui.evaluators.kit.evaltui import (
    EvaluationResult,
    EvaluatorContext,
    failed,
    passed,
)

_FENCED: dict[str, Any] = {
    "type": "boolean",
    "default": False,
    "description": "whether a block between ``` counts as the answer",
}
MAX_MISTAKES = 10


@define_built_in(
    "json-valid",
    label="Valid JSON",
    config_schema={
        "type": "object",
        "properties": {"allowFence": _FENCED},
        "additionalProperties": False,
    },
)
def json_valid(ctx: EvaluatorContext) -> EvaluationResult:
    """The whole answer is one JSON value."""
    text = _answer(ctx)
    try:
        _parsed(text)
    except ValueError as error:
        if not is_json(text):  # what no number here can hold is JSON all the same
            return failed(str(error))
    kind = _KINDS.get(text.lstrip(BLANKS)[0], "a number")
    return passed(f"The answer is JSON: {kind}")


@define_built_in(
    "json-schema",
    label="JSON Schema",
    config_schema={
        "type": "object",
        "properties": {
            "schema": {"type": ["object", "boolean"], "description": "JSON Schema of the answer"},
            "allowFence": _FENCED,
        },
        "required": ["schema"],
        "additionalProperties": False,
    },
)
def json_schema(ctx: EvaluatorContext) -> EvaluationResult:
    """The answer is JSON that matches a JSON Schema, 2020-12 unless the schema says otherwise."""
    for mistake in schema_mistakes(ctx.config):
        raise ValueError(f"`config.schema`: {mistake.what}")
    try:
        value = _parsed(_answer(ctx))
    except ValueError as error:
        return failed(str(error))
    schema = _schema_in(ctx.config)
    found = [
        f"`{format_key(one.path)}`: {one.what}" if one.path else one.what
        for one in schema.mistakes(value)
    ]
    if not found:
        return passed("The answer keeps to the schema")
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return failed(f"{found[0]}{more}", mistakes=found[:MAX_MISTAKES])


def schema_mistakes(config: Mapping[str, Any]) -> Iterator[SchemaMistake]:
    """A schema that is none, or that refers to what is fetched."""
    try:
        _schema_in(config).check()
    except ValueError as error:
        yield SchemaMistake(("schema",), f"it {error}", "Correct the schema.")


def _schema_in(config: Mapping[str, Any]) -> ConfigSchema:
    return schema_of(json.dumps(config["schema"], default=dict))


def _answer(ctx: EvaluatorContext) -> str:
    """Without the blanks of JSON around it; others are no part of it."""
    text = ctx.last_response.strip(BLANKS)
    lines = text.split("\n")
    if ctx.config["allowFence"] and len(lines) > 1:
        opens, closes = lines[0].startswith("```"), lines[-1].strip() == "```"
        text = "\n".join(lines[1:-1]) if opens and closes else text
    return text


def _parsed(text: str) -> Any:
    """Raises ValueError that says what is wrong."""
    if not text.strip(BLANKS):
        raise ValueError("The answer is empty")
    try:
        return decode_json(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        kind = "JSON that cannot be read" if is_json(text) else "no JSON"
        raise ValueError(f"The answer is {kind}: {error.msg} ({where})") from None
    except ValueError:
        raise ValueError("The answer holds a number of thousands of digits") from None
    except RecursionError:
        raise ValueError("The answer is nested too deeply to be read") from None


_KINDS = {
    "{": "an object",
    "[": "a list",
    '"': "a text",
    "t": "true or false",
    "f": "true or false",
    "n": "null",
}
