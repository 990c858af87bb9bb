"""JSON Schema of Python's own types, signatures and classes, inside the child.

Loaded by its path with any Python from 3.9 on, so it imports the standard library only.
"""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from collections.abc import Mapping
from typing import Any

_JSON_TYPES = {
    str: "string",
    bytes: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    list: "array",
    tuple: "array",
    set: "array",
    dict: "object",
    type(None): "null",
}


def class_schema(value: type) -> dict[str, Any] | None:
    """Of a pydantic model, a dataclass or a TypedDict."""
    method = getattr(value, "model_json_schema", None) or getattr(value, "schema", None)
    if callable(method):
        result = method()
        return dict(result) if isinstance(result, Mapping) else None
    hints = hints_of(value)
    if dataclasses.is_dataclass(value):
        missing = dataclasses.MISSING
        required = [
            field.name
            for field in dataclasses.fields(value)
            if field.default is missing and field.default_factory is missing
        ]
    elif hasattr(value, "__required_keys__"):
        required = sorted(value.__required_keys__)
    else:
        return None
    names = {name: type_schema(hint) for name, hint in hints.items()}
    return {"type": "object", "properties": names, "required": required}


def signature_schema(function: Any) -> dict[str, Any] | None:
    """From the annotations and defaults of a function."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    hints = hints_of(function)
    properties: dict[str, Any] = {}
    required: list[str] = []
    for each in parameters:
        if each.kind in (each.VAR_KEYWORD, each.VAR_POSITIONAL) or each.name in ("self", "cls"):
            continue
        hint = hints.get(each.name, Any)
        if getattr(hint, "__name__", "") in ("Context", "RunContext", "ToolContext"):
            continue  # given by the framework, not by the model
        schema = type_schema(hint)
        if each.default is each.empty:
            required.append(each.name)
        elif isinstance(each.default, (str, int, float, bool)):
            schema.setdefault("default", each.default)
        properties[each.name] = schema
    result: dict[str, Any] = {"type": "object", "properties": properties}
    return {**result, "required": required} if required else result


def inputs_schema(inputs: Any) -> dict[str, Any] | None:
    """From the `inputs` of a smolagents tool: `{city: {type, description, nullable}}`."""
    if not isinstance(inputs, Mapping) or not all(
        isinstance(each, Mapping) and ("type" in each or "anyOf" in each)
        for each in inputs.values()
    ):
        return None
    properties: dict[str, Any] = {}
    required: list[str] = []
    for name, each in inputs.items():
        schema = {key: value for key, value in each.items() if key not in ("type", "nullable")}
        names = each.get("type")
        kinds = list(names) if isinstance(names, (list, tuple)) else [names]
        if each.get("nullable") is True:
            kinds.append("null")
        else:
            required.append(str(name))
        if all(kind in _JSON_TYPES.values() for kind in kinds):  # not `any`, `image`, `audio`
            schema["type"] = kinds if len(kinds) > 1 else kinds[0]
        properties[str(name)] = schema
    result: dict[str, Any] = {"type": "object", "properties": properties}
    return {**result, "required": required} if required else result


def hints_of(value: Any) -> dict[str, Any]:
    try:
        return typing.get_type_hints(value, include_extras=True)
    except Exception:
        return dict(getattr(value, "__annotations__", {}))


def type_schema(hint: Any) -> dict[str, Any]:
    """JSON Schema of a type annotation; what cannot be said allows anything."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        schema = type_schema(arguments[0])
        for extra in arguments[1:]:
            text = extra if isinstance(extra, str) else getattr(extra, "description", None)
            if isinstance(text, str):
                schema["description"] = text
        return schema
    if origin is typing.Literal:
        return {"enum": list(arguments)}
    if origin is typing.Union or origin is getattr(types, "UnionType", typing.Union):
        branches = [type_schema(each) for each in arguments]
        names = [branch.get("type") for branch in branches]
        if all(isinstance(name, str) and len(branch) == 1
               for name, branch in zip(names, branches)):  # fmt: skip  # noqa: B905
            return {"type": names}
        return {"anyOf": branches}
    if origin in (list, set, tuple, frozenset) or str(origin).startswith("collections.abc"):
        if origin is dict or "Mapping" in str(origin):
            return {"type": "object"}
        return (
            {"type": "array", "items": type_schema(arguments[0])}
            if arguments
            else {"type": "array"}
        )
    if origin is dict:
        return {"type": "object"}
    if isinstance(hint, type):
        if hint in _JSON_TYPES:
            return {"type": _JSON_TYPES[hint]}
        members = getattr(hint, "__members__", None)
        if isinstance(members, Mapping):
            return {"enum": [member.value for member in members.values()]}
        return class_schema(hint) or {}
    return {}
