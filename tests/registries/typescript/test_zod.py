"""Zod schemas as JSON Schema, one expression a line."""

from pathlib import Path

import pytest

from evaltui.core.json_value import Json, JsonObject
from tests.registries.projects import read, write

S: JsonObject = {"type": "string"}
N: JsonObject = {"type": "number"}

FIELDS: dict[str, Json] = {
    "z.string()": S,
    "z.string({ message: 'no' }).min(1, 'short').max(9).trim()": {
        **S, "minLength": 1, "maxLength": 9,
    },
    "z.string().describe('A').min(2)": {**S, "description": "A", "minLength": 2},
    "z.string().startsWith('a.')": {**S, "pattern": r"^a\."},
    "z.string().datetime()": {**S, "format": "date-time"},
    "z.email()": {**S, "format": "email"},
    "z.iso.date()": {**S, "format": "date"},
    "z.date()": {**S, "format": "date-time"},
    "z.coerce.number().int().nonnegative()": {"type": "integer", "minimum": 0},
    "z.int().lt(5)": {"type": "integer", "exclusiveMaximum": 5},
    "z.number().multipleOf(0.5)": {**N, "multipleOf": 0.5},
    "z.boolean().refine((b) => b)": {"type": "boolean"},
    "z.any()": {},
    "z.null()": {"type": "null"},
    "z.bigint()": {"type": "integer"},
    "z.literal(5)": {**N, "const": 5},
    "z.literal(['a', 'b'])": {**S, "enum": ["a", "b"]},
    "z.enum(UNITS)": {**S, "enum": ["m", "ft"]},
    "z.enum(UNITS).exclude(['ft'])": {**S, "enum": ["m"]},
    "z.enum(Object.keys(MAP) as [string, ...string[]])": {**S, "enum": ["x", "y"]},
    "z.nativeEnum(MAP)": {**N, "enum": [1, 2]},
    "z.string().nullable()": {"type": ["string", "null"]},
    "z.enum(UNITS).nullable()": {"type": ["string", "null"], "enum": ["m", "ft", None]},
    "z.union([z.string(), z.number()]).nullable()": {
        "anyOf": [{"anyOf": [S, N]}, {"type": "null"}],
    },
    "z.string().array().nonempty()": {"type": "array", "items": S, "minItems": 1},
    "z.array(z.string()).length(2)": {
        "type": "array", "items": S, "minItems": 2, "maxItems": 2,
    },
    "z.array(z.number()).element": N,
    "z.set(z.string())": {"type": "array", "items": S, "uniqueItems": True},
    "z.record(z.enum(UNITS), z.number())": {
        "type": "object",
        "additionalProperties": N,
        "propertyNames": {**S, "enum": ["m", "ft"]},
    },
    "z.record(z.number())": {"type": "object", "additionalProperties": N},
    "z.string().or(z.number())": {"anyOf": [S, N]},
    "z.object({ a: z.string() }).and(z.object({ b: z.number() }))": {
        "type": "object", "properties": {"a": S, "b": N}, "required": ["a", "b"],
    },
    "z.object({ a: z.string() }).keyof()": {**S, "enum": ["a"]},
    "z.object({}).catchall(z.number())": {
        "type": "object", "properties": {}, "additionalProperties": N,
    },
    "z.strictObject({})": {"type": "object", "properties": {}, "additionalProperties": False},
    "z.lazy(() => z.string())": S,
    "z.preprocess((v) => v, z.string())": S,
    "z.string().transform(Number).pipe(z.number())": S,
    "z.string().meta({ title: 'T', examples: ['a'] })": {**S, "title": "T", "examples": ["a"]},
    "described('Which')": {**S, "description": "Which"},
}  # fmt: skip
OPTIONAL: dict[str, Json] = {
    "z.string().optional().describe('O')": {**S, "description": "O"},
    "z.optional(z.string())": S,
    "z.number().nullish()": {"type": ["number", "null"]},
    "z.number().default(2 + 3)": {**N, "default": 5},
    "z.string().default('a').describe('D')": {**S, "default": "a", "description": "D"},
}
UNKNOWN = {
    "z.custom(isCity)": "z.custom(isCity)",
    "z.string().default(() => now())": "() => now()",
    "z.enum(units())": "units()",
    "z.string().describe(texts.city)": "texts.city",
    "z.number().max(LIMIT)": "LIMIT",
    "z.object({ ...shape(), a: z.string() })": "...shape()",
    "z.array(item())": "item()",
    "Type.String()": "Type.String()",
    "z.string().invented()": "z.string().invented()",
    "recursive": "circular recursive",
}
BEFORE = """
import { z } from 'zod';
const UNITS = ['m', 'ft'] as const;
const MAP = { x: 1, y: 2 } as const;
const described = (text: string) => z.string().describe(text);
const recursive = z.object({ children: z.array(z.lazy(() => recursive)) });
"""


def parameters(expression: str, root: Path) -> tuple[JsonObject | None, list[str]]:
    text = f"{BEFORE}export const t = {{ name: 't', schema: z.object({{ field: {expression} }}) }};"
    write(root, {"x.tool.ts": text})
    (tool,) = read(root, "x.tool.ts").registry
    return tool.parameters, [item.expression for item in tool.unresolved]


@pytest.mark.parametrize("expression", [*FIELDS, *OPTIONAL])
def test_known_schema(expression: str, tmp_path: Path) -> None:
    wanted: dict[str, Json] = {"type": "object", "properties": {}}
    if expression in FIELDS:
        wanted |= {"properties": {"field": FIELDS[expression]}, "required": ["field"]}
    else:
        wanted |= {"properties": {"field": OPTIONAL[expression]}}
    assert parameters(expression, tmp_path) == (wanted, [])


@pytest.mark.parametrize("expression", UNKNOWN)
def test_unknown_schema_names_what_is_in_the_way(expression: str, tmp_path: Path) -> None:
    found, unresolved = parameters(expression, tmp_path)
    assert found is None
    assert [UNKNOWN[expression] in text for text in unresolved] == [True], unresolved


@pytest.mark.parametrize("key", ["inputSchema", "parametersSchema", "paramsSchema", "schema"])
def test_the_usual_names_of_a_tools_schema(tmp_path: Path, key: str) -> None:
    text = f"""
    import {{ z }} from "zod";
    const {key} = z.object({{ fileKey: z.string() }});
    export const tool = {{ name: "get_data", description: "Gets it.", {key}, handler() {{}} }};
    """
    write(tmp_path, {"t/x.tool.ts": text})
    found = read(tmp_path, "t").registry.tools["get_data"].parameters
    assert found is not None and found["properties"] == {"fileKey": S}
