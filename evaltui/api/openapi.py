"""The OpenAPI description, generated from the operations themselves."""

import re
from collections.abc import Iterable
from typing import Any

from evaltui import __version__
from evaltui.api.operation import MOST_CASES, Operation
from evaltui.api.run_record import STATUSES
from evaltui.settings.json_schema import json_schema

_SCHEMAS = "#/components/schemas/"
_NULL = {"type": "null"}
_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "hint"],
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string", "description": "what is wrong"},
                "hint": {"type": "string", "description": "what to do"},
                "problems": {"type": "array", "items": {"type": "object"}},
            },
        }
    },
}


def document(operations: Iterable[Operation]) -> dict[str, Any]:
    """OpenAPI 3.1."""
    paths: dict[str, dict[str, Any]] = {}
    schemas: dict[str, Any] = {"Error": _ERROR}
    for one in operations:
        path = re.sub(r"\{(\w+):\w+\}", r"{\1}", one.path)
        paths.setdefault(path, {})[one.method.lower()] = _operation(one, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "evaltui", "version": __version__},
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _operation(one: Operation, schemas: dict[str, Any]) -> dict[str, Any]:
    content: dict[str, Any] = {one.media_type: {}}
    success = {"description": one.answer or one.summary, "content": content}
    wrong = {"application/json": {"schema": {"$ref": f"{_SCHEMAS}Error"}}}
    refused = {"description": "what is wrong and what to do", "content": wrong}
    made: dict[str, Any] = {
        "operationId": one.handler.__name__ + ("_of_project" if "{project}" in one.path else ""),
        "summary": one.summary,
        "parameters": [*_parameters(one)],
        "responses": {str(one.status): success, "4XX": refused, "5XX": refused},
    }
    if one.body is not None:
        model = one.body()
        schema = json_schema(model, at=_SCHEMAS)
        for key, inner in schema.pop("$defs", {}).items():
            schemas[key] = _with_nulls(inner)
        name, schema = model.__name__, _with_nulls(schema)
        if one.is_partial:
            name = f"{name}Changes"
            del schema["required"]
        schemas[name] = schema
        wanted = {"schema": {"$ref": f"{_SCHEMAS}{name}"}}
        is_wanted = one.is_partial or "required" in schema
        made["requestBody"] = {"content": {"application/json": wanted}, "required": is_wanted}
    return made


def _with_nulls(schema: dict[str, Any]) -> dict[str, Any]:
    """With `null` for every key that may be left out: it says the same."""
    needed = schema.get("required", ())
    properties = dict(schema.get("properties", {}))
    for key, one in properties.items():
        if key not in needed and _NULL not in one.get("anyOf", ()):
            said = {word: one[word] for word in ("description", "default") if word in one}
            rest = {word: value for word, value in one.items() if word not in said}
            properties[key] = {**said, "anyOf": [*(rest.pop("anyOf", None) or [rest]), _NULL]}
    return {**schema, "properties": properties} if properties else schema


def _parameters(one: Operation) -> "list[dict[str, Any]]":
    text, number = {"type": "string"}, {"type": "integer", "minimum": 0}
    kinds: dict[str, Any] = {
        "offset": number,
        "limit": {**number, "maximum": MOST_CASES},
        "status": {"enum": ["", *STATUSES]},
    }
    named = [
        {"name": name, "in": "path", "required": True, "schema": text}
        for name in re.findall(r"\{(\w+)", one.path)
    ]
    asked = [
        {"name": name, "in": "query", "description": what, "schema": kinds.get(name, text)}
        for name, what in one.query.items()
    ]
    return [*named, *asked]
