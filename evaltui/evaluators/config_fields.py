"""An evaluator's settings as the fields of a form, made from its JSON Schema, and read back."""

import json
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct

from evaltui.core.json_value import Json, JsonObject
from evaltui.core.key_path import format_key
from evaltui.disk.codec import whole
from evaltui.evaluators.config_schema import ConfigSchema
from evaltui.json_text.strict_json import strict_json
from evaltui.json_text.syntax import syntax_problem
from evaltui.json_text.tree import JsonTree

REST = ""
"""Name of the field for all that has no field of its own."""


class FieldKind(StrEnum):
    TEXT = "text"
    NUMBER = "number"
    CHOICE = "choice"
    """One of some values, `true` and `false` for instance; each is written as JSON."""
    JSON = "JSON"


class ConfigField(Struct, frozen=True):
    """One setting: how it is written, and what stands there now."""

    name: str
    kind: FieldKind
    text: str = ""
    """As the form shows it; empty where it is not set."""
    choices: tuple[str, ...] = ()
    description: str = ""
    default: str = ""
    """As JSON; it holds where nothing is set, and is not written down. Of a needed setting, which
    is written in any case, the text begins with it."""
    is_required: bool = False


class FieldMistake(Struct, frozen=True):
    """What is wrong with one field; of JSON with line and column, 1-based, else 0."""

    name: str
    what: str
    line: int = 0
    column: int = 0


def fields_of(schema: Mapping[str, Any] | None, config: JsonObject) -> tuple[ConfigField, ...]:
    """In the order of the schema; then one for the rest, where a rest is there or asked for."""
    schema = schema or {}
    properties = schema.get("properties")
    known: Mapping[str, Any] = properties if isinstance(properties, Mapping) else {}
    wanted = schema.get("required")
    required = set(wanted) if isinstance(wanted, list) else set()
    fields = [
        _field(name, _resolved(of, schema), config, name in required) for name, of in known.items()
    ]
    rest = {name: value for name, value in config.items() if name not in known}
    others = schema.get("additionalProperties")
    is_free = others is not False and (not known or isinstance(others, Mapping))
    if rest or is_free or "patternProperties" in schema:
        description = "what has no line of its own" if known else "an object"
        text = _pretty(rest) if rest else ""
        fields.append(ConfigField(REST, FieldKind.JSON, text, description=description))
    return tuple(fields)


def read_fields(
    fields: Sequence[ConfigField], texts: Mapping[str, str], schema: ConfigSchema | None
) -> tuple[dict[str, Json], tuple[FieldMistake, ...]]:
    """The settings, and all that is wrong with them; with mistakes they are not to be used."""
    config: dict[str, Json] = {}
    found: list[FieldMistake] = []
    for field in fields:
        text = texts.get(field.name, field.text)
        if not text.strip():
            if field.is_required:
                found.append(FieldMistake(field.name, "It has to be set."))
            continue
        value = _value(field, text)
        if isinstance(value, FieldMistake):
            found.append(value)
        elif field.name != REST:
            config[field.name] = value
        elif not isinstance(value, dict):
            found.append(FieldMistake(REST, "It has to be an object: `{…}`.", 1, 1))
        elif double := [name for name in value if any(name == one.name for one in fields)]:
            what = f"`{double[0]}` has a line of its own."
            found.append(FieldMistake(REST, what, *JsonTree(text.encode()).locate((double[0],))))
        else:
            config |= value
    if schema is not None:
        wrong = {one.name for one in found}
        # Of what cannot be read nothing is in `config`: that something is missing says nothing.
        more = (one for one in _broken(schema, config, fields, texts) if one.name not in wrong)
        found += (one for one in more if not wrong or one.name)
    return config, tuple(found)


def _broken(
    schema: ConfigSchema,
    config: JsonObject,
    fields: Sequence[ConfigField],
    texts: Mapping[str, str],
) -> Iterator[FieldMistake]:
    by_name = {field.name: field for field in fields}
    for mistake in schema.mistakes(dict(config)):
        name = str(mistake.path[0]) if mistake.path else REST
        field = by_name.get(name) or by_name.get(REST)
        if field is None:
            yield FieldMistake(REST, mistake.what)
            continue
        inner = mistake.path[1:] if field.name else mistake.path
        what = f"`{format_key(inner)}`: {mistake.what}" if inner else mistake.what
        if field.kind is FieldKind.JSON and (text := texts.get(field.name, field.text)).strip():
            yield FieldMistake(field.name, what, *JsonTree(text.encode()).locate(inner))
        else:
            yield FieldMistake(field.name, what)


def _field(name: str, schema: Any, config: JsonObject, is_required: bool) -> ConfigField:
    of: Mapping[str, Any] = schema if isinstance(schema, Mapping) else {}
    said = (of.get(key) for key in ("title", "description"))
    description = ": ".join(one for one in said if isinstance(one, str) and one)
    kind, choices = _kind(of)
    text = ""
    if name in config:
        value = config[name]
        if not _suits(kind, value, choices):
            kind, choices = FieldKind.JSON, ()
        text = value if kind is FieldKind.TEXT and isinstance(value, str) else _json(value)
        if kind is FieldKind.JSON:
            text = _pretty(value)
    elif is_required and "default" in of and _suits(kind, of["default"], choices):
        text = of["default"] if kind is FieldKind.TEXT else _json(of["default"])
    return ConfigField(
        name,
        kind,
        text,
        choices,
        description,
        _json(of["default"]) if "default" in of else "",
        is_required,
    )


def _resolved(schema: Any, root: Mapping[str, Any]) -> Any:
    """What it refers to within the whole schema, with what it says besides."""
    if not isinstance(schema, Mapping):
        return schema
    reference = schema.get("$ref")
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return schema
    found: Any = root
    for part in reference[2:].split("/"):
        key = part.replace("~1", "/").replace("~0", "~")
        found = found.get(key) if isinstance(found, Mapping) else None
    return {**found, **schema} if isinstance(found, Mapping) else schema


def _constants(schema: Mapping[str, Any]) -> Any:
    """The only values that it allows, where it lists them one by one."""
    for key in ("oneOf", "anyOf"):
        listed = schema.get(key)
        if isinstance(listed, list) and all(
            isinstance(one, Mapping) and "const" in one for one in listed
        ):
            return [one["const"] for one in listed]
    return schema.get("enum")


def _kind(schema: Mapping[str, Any]) -> tuple[FieldKind, tuple[str, ...]]:
    values = [schema["const"]] if "const" in schema else _constants(schema)
    if isinstance(values, list) and values:
        return FieldKind.CHOICE, tuple(map(_json, values))
    match schema.get("type"):
        case "boolean":
            return FieldKind.CHOICE, ("true", "false")
        case "string":
            return FieldKind.TEXT, ()
        case "number" | "integer":
            return FieldKind.NUMBER, ()
    return FieldKind.JSON, ()


def _suits(kind: FieldKind, value: Json, choices: tuple[str, ...]) -> bool:
    """Whether the form can show it as what it is; else it is shown as JSON."""
    match kind:
        case FieldKind.TEXT:
            return isinstance(value, str) and bool(value.strip()) and "\n" not in value
        case FieldKind.NUMBER:
            return isinstance(value, int | float) and not isinstance(value, bool)
        case FieldKind.CHOICE:
            return _json(value) in choices
    return True


def _value(field: ConfigField, text: str) -> Any:
    if field.kind is FieldKind.TEXT:
        return whole(text)
    content = text.encode("utf-8", "replace")
    try:
        value = strict_json(content)
    except ValueError as error:
        if field.kind is FieldKind.NUMBER:
            return FieldMistake(field.name, f"`{text.strip()}` is not a number.")
        problem = syntax_problem("", content, str(error))
        is_cut = "EOF" in problem.what  # of a file that is often another mistake
        hint = "It ends in the middle: close what is open." if is_cut else problem.hint
        *_, last = lines = text.split("\n")
        place = (len(lines), len(last) + 1) if is_cut else (problem.line, problem.column)
        return FieldMistake(field.name, f"{problem.what}. {hint}", *place)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if field.kind is FieldKind.NUMBER and not is_number:
        return FieldMistake(field.name, f"`{text.strip()}` is not a number.")
    return value


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def _pretty(value: Json) -> str:
    """Short ones on one line, others over several."""
    line = _json(value)
    return line if len(line) <= 60 else json.dumps(value, ensure_ascii=False, indent=2)
