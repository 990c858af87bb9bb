"""Reads all the ways in which parameters are written, as one: the JSON Schema of an object."""

from collections.abc import Mapping, Sequence

from evaltui.core.json_value import Json, JsonObject

_TYPES = {
    "str": "string", "text": "string", "int": "integer", "float": "number", "double": "number",
    "bool": "boolean", "list": "array", "dict": "object", "date": "string", "enum": "string",
}  # fmt: skip
_JSON_TYPES = {"string", "number", "integer", "boolean", "array", "object", "null"}
_COMBINERS = ("$ref", "$schema", "$defs", "anyOf", "oneOf", "allOf", "additionalProperties")
_OURS = ("optional", "values", "options")


class NotASchema(ValueError):
    """The value describes no parameters; the message says what it is instead."""


def parameters_schema(value: Json) -> JsonObject:
    """JSON Schema of the parameters object, from JSON Schema, a parameter map or a list.

    A map is `{city: {type, description, required | optional, default, enum}}` or
    `{city: "string"}`; a list has the same with `name`. A parameter is required unless it says
    otherwise, has a default, or only others say `required: true`. Raises `NotASchema`.
    """
    if isinstance(value, str) or not isinstance(value, Mapping | Sequence):
        raise NotASchema(f"expected an object, found {_kind(value)}")
    if isinstance(value, Mapping):
        return value if is_json_schema(value) else _from_map(value)
    named: dict[str, Json] = {}
    for entry in value:
        if not isinstance(entry, Mapping) or not isinstance(name := entry.get("name"), str):
            raise NotASchema("a list of parameters needs a `name` in each entry")
        named[name] = {key: item for key, item in entry.items() if key != "name"}
    return _from_map(named)


def is_json_schema(value: Mapping[str, Json]) -> bool:
    """Whether an object is JSON Schema already, rather than a map from parameter to type."""
    kind, properties = value.get("type"), value.get("properties")
    if isinstance(properties, Mapping):
        return kind is not None or not isinstance(properties.get("type"), str)
    if isinstance(kind, str):
        return kind in _JSON_TYPES and all(
            key == "type" or not isinstance(item, Mapping) or key in _COMBINERS
            for key, item in value.items()
        )
    return kind is None and any(key in value for key in _COMBINERS)


def _from_map(parameters: Mapping[str, Json]) -> JsonObject:
    some_say_required = any(
        isinstance(item, Mapping) and item.get("required") is True for item in parameters.values()
    )
    properties: dict[str, Json] = {}
    required: list[str] = []
    for name, item in parameters.items():
        schema, is_required = _parameter(name, item, some_say_required)
        properties[name] = schema
        if is_required:
            required.append(name)
    result: dict[str, Json] = {"type": "object", "properties": properties}
    if required:
        result["required"] = required
    return result


def _parameter(name: str, item: Json, some_say_required: bool) -> tuple[Json, bool]:
    if isinstance(item, str):
        return _typed(item.removesuffix("?")), not item.endswith("?")
    if not isinstance(item, Mapping):
        raise NotASchema(f"parameter `{name}` should be an object with a `type`")
    schema: dict[str, Json] = {}
    for key, value in item.items():
        if key in _OURS or (key == "required" and isinstance(value, bool)):
            continue
        schema[key] = value
    kind = item.get("type")
    if isinstance(kind, str):
        optional_mark = kind.endswith("?")
        schema |= _typed(kind.removesuffix("?"))
    else:
        optional_mark = False
    choices = item.get("values", item.get("options"))
    if "enum" not in schema and isinstance(choices, Sequence) and not isinstance(choices, str):
        schema["enum"] = choices
    nested = item.get("properties")
    if isinstance(nested, Mapping) and not isinstance(item.get("required"), Sequence):
        schema |= _from_map(nested)
    elements = item.get("items")
    if isinstance(elements, str):
        schema["items"] = _typed(elements)
    says = item.get("required")
    if isinstance(says, bool):
        return schema, says
    if optional_mark or item.get("optional") is True or "default" in item:
        return schema, False
    return schema, item.get("optional") is False or not some_say_required


def _typed(kind: str) -> dict[str, Json]:
    if kind.endswith("[]"):
        return {"type": "array", "items": _typed(kind[:-2])}
    if kind == "any":
        return {}
    return {"type": _TYPES.get(kind, kind)}


def _kind(value: Json) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case Mapping():
            return "an object"
        case _:
            return "a list"
