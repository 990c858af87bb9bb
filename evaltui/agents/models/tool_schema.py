"""Parameter schemas in the form that model APIs accept: one object at the top."""

from collections.abc import Mapping
from typing import Any

from evaltui.core.json_value import Json, JsonObject, object_of

_BRANCHES = ("allOf", "anyOf", "oneOf")
_REFUSED_AT_TOP = ("$schema", "$id", "not", "enum", "const", "if", "then", "else")


def api_schema(parameters: JsonObject | None) -> tuple[dict[str, Json], str]:
    """The schema to send, and what it no longer says, in words (empty: it says the same).

    OpenAI and Anthropic refuse a top level that is not `type: object` or that has alternatives;
    those are merged: of `anyOf` and `oneOf` only what all branches require stays required.
    """
    if not parameters:
        return {"type": "object", "properties": {}}, ""
    schema: dict[str, Any] = dict(parameters)
    lost: list[str] = []
    schema = _inlined(schema)
    for key in _BRANCHES:
        branches = schema.pop(key, None)
        if isinstance(branches, list | tuple) and branches:
            _merge(schema, [_inlined(b, schema) for b in branches if isinstance(b, Mapping)], key)
            if key != "allOf":
                lost.append(f"`{key}`")
    for key in _REFUSED_AT_TOP:
        if key in schema:
            del schema[key]
            if not key.startswith("$"):
                lost.append(f"`{key}`")
    schema["type"] = "object"
    properties = schema.get("properties")
    # A property whose schema is `true` may be anything; APIs want that spelt `{}`.
    schema["properties"] = (
        {name: object_of(value) for name, value in properties.items()}
        if isinstance(properties, Mapping)
        else {}
    )
    if "required" in schema and not isinstance(schema["required"], list | tuple):
        del schema["required"]
    return schema, f"{' and '.join(lost)} of its schema cannot be sent" if lost else ""


def _inlined(schema: Mapping[str, Any], whole: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Replace a `$ref` at the top by what it points to within the same schema."""
    result = dict(schema)
    definitions = whole or schema
    for _ in range(8):
        ref = result.get("$ref")
        if not isinstance(ref, str) or not ref.startswith("#/"):
            break
        found: Any = definitions
        for step in ref[2:].split("/"):
            step = step.replace("~1", "/").replace("~0", "~")
            found = found.get(step) if isinstance(found, Mapping) else None
        if not isinstance(found, Mapping):
            break
        del result["$ref"]
        result = {**found, **result}
    return result


def _merge(schema: dict[str, Any], branches: list[dict[str, Any]], key: str) -> None:
    properties: dict[str, Any] = {}
    required: list[set[str]] = []
    for branch in branches:
        found = branch.get("properties")
        if isinstance(found, Mapping):
            for name, value in found.items():
                properties.setdefault(name, value)
        names = branch.get("required")
        required.append(set(names) if isinstance(names, list | tuple) else set())
    own = schema.get("properties")
    schema["properties"] = {**properties, **(own if isinstance(own, Mapping) else {})}
    if required:
        shared = set.union(*required) if key == "allOf" else set.intersection(*required)
        have = schema.get("required")
        names = list(have) if isinstance(have, list | tuple) else []
        names += sorted(shared - set(names))
        if names:
            schema["required"] = names
