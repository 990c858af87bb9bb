"""Parameter schemas as OpenAI's strict mode and the SDKs that use it write them."""

from collections.abc import Mapping
from typing import Any

from evaltui.core.json_value import Json


def strict_schema(schema: Mapping[str, Json]) -> dict[str, Json]:
    """The same with every object closed and every property of it required, at any depth.

    A default of null says nothing then, and `oneOf` is `anyOf`: the API refuses both.
    """
    written: Any = _strict(schema)
    return dict(written)


def _strict(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_strict(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    schema = {key: item for key, item in value.items() if (key, item) != ("default", None)}
    if "oneOf" in schema:
        schema["anyOf"] = [*schema.get("anyOf", ()), *schema.pop("oneOf")]
    for key in ("properties", "$defs", "definitions"):
        if isinstance(named := schema.get(key), Mapping):
            schema[key] = {name: _strict(item) for name, item in named.items()}
    for key in ("items", "prefixItems", "anyOf", "allOf"):
        if key in schema:
            schema[key] = _strict(schema[key])
    if schema.get("type") == "object" or "properties" in schema:
        schema["properties"] = schema.get("properties") or {}
        schema["required"] = list(schema["properties"])
        schema["additionalProperties"] = False
    return schema
