"""Recognizes values in a Python module as tools: name, description, schema and position.

Loaded by its path with any Python from 3.9 on, so it imports the standard library only.
"""

from __future__ import annotations

import copy
import importlib.util
import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaltui.child import type_schemas
else:
    _spec = importlib.util.spec_from_file_location(
        "_evaltui_type_schemas", Path(__file__).with_name("type_schemas.py")
    )
    type_schemas = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(type_schemas)

MARKS = ("__tool__", "_is_tool", "is_tool", "__is_tool__", "tool_schema", "__tool_schema__")
"""Attributes that decorators leave on a function that is a tool."""
CODE = ("fn", "func", "coroutine", "handler", "entrypoint", "forward", "function")
"""Attributes under which tool objects keep the function that they call."""


def definition(value: Any, listed: bool) -> dict[str, Any] | None:
    """One tool, or `None`."""
    if isinstance(value, Mapping):
        return from_mapping(value)
    if isinstance(value, type):
        return from_class(value, listed)
    if hasattr(type(value), "process_entrypoint"):
        return from_agno(value)
    schema = schema_of(value)
    name, description = getattr(value, "name", None), getattr(value, "description", None)
    if isinstance(name, str) and name and (schema is not None or isinstance(description, str)):
        function = code_of(value)
        if schema is None and callable(function):
            schema = type_schemas.signature_schema(function)
        if schema is None and not listed:
            return None
        return said(name, description, schema, function or value, value)
    if inspect.isroutine(value):
        return from_function(value, listed)
    return None


def code_of(value: Any) -> Any:
    return next((found for name in CODE if (found := getattr(value, name, None))), None)


def from_agno(value: Any) -> dict[str, Any]:
    """agno finds out what its functions take when an agent runs: have a copy find out now."""
    try:
        ready = copy.deepcopy(value)
        ready.process_entrypoint()
    except Exception as error:
        ready, why = value, f"{type(error).__name__}: {error}"
    else:
        why = "" if knows_its_parameters(ready, value) else "agno makes no schema of them"
    schema = None if why else schema_of(ready)
    made = said(ready.name, ready.description, schema, code_of(value) or value, value)
    return {**made, "parameters_unknown": why} if why else made


def knows_its_parameters(ready: Any, value: Any) -> bool:
    """Whether none that the code takes is missing: agno only logs what it cannot say."""
    code, own = code_of(value), getattr(ready, "_framework_params", None)
    is_given = getattr(value, "skip_entrypoint_processing", False) or (ready.parameters or {}).get(
        "properties"
    )
    if is_given or not callable(code) or not isinstance(own, (set, frozenset)):
        return True
    taken = type_schemas.signature_schema(code) or {"properties": {}}
    return not set(taken["properties"]) - own


def from_mapping(value: Mapping[str, Any]) -> dict[str, Any] | None:
    """The forms of OpenAI, Anthropic, MCP and the like."""
    inner = value.get("function")
    if isinstance(inner, Mapping):
        value = {**value, **inner}
    if not isinstance(value.get("name"), str):
        return None
    schema: Any = None
    for key in ("parameters", "input_schema", "inputSchema", "args_schema", "params", "schema"):
        if value.get(key) is not None:
            schema = value[key]
            break
    if schema is None and isinstance(value.get("tools"), (list, tuple, Mapping)):
        return None  # a group, which is read for the tools in it
    if isinstance(schema, type):
        schema = type_schemas.class_schema(schema)
    if "description" not in value and schema is None:
        return None
    keep = ("version", "category", "status", "deprecated")
    result = {key: value[key] for key in keep if key in value}
    return {**result, "name": value["name"], "description": value.get("description"),
            "parameters": schema}  # fmt: skip


def from_class(value: type, listed: bool) -> dict[str, Any] | None:
    """A pydantic model or dataclass as a tool: where tools are listed, or when it is marked."""
    if not listed and not any(mark in vars(value) for mark in MARKS):
        return None
    schema = type_schemas.class_schema(value)
    if schema is None:
        return None
    title = getattr(value, "name", None) or getattr(value, "__tool_name__", None)
    description = schema.pop("description", None) or own_doc(value)
    return said(title if isinstance(title, str) else value.__name__, description, schema, value)


def from_function(value: Any, listed: bool) -> dict[str, Any] | None:
    mark: Any = next((getattr(value, each) for each in MARKS if hasattr(value, each)), None)
    if mark is None and not listed:
        return None
    if isinstance(mark, Mapping):
        inner = mark.get("function")
        marked = {**mark, **inner} if isinstance(inner, Mapping) else mark
        name = marked.get("name") or value.__name__
        schema = (
            marked.get("parameters")
            or marked.get("input_schema")
            or type_schemas.signature_schema(value)
        )
        return said(name, marked.get("description") or own_doc(value), schema, value)
    return said(value.__name__, own_doc(value), type_schemas.signature_schema(value), value)


def said(name: str, description: Any, schema: Any, place: Any, owner: Any = None) -> dict[str, Any]:
    result: dict[str, Any] = {"name": name, "description": description, "parameters": schema}
    for key in ("version", "category", "status"):
        extra = getattr(owner, key, None)
        if isinstance(extra, str):
            result[key] = extra
    try:
        code = inspect.unwrap(place) if callable(place) else type(place)
        result["file"] = inspect.getsourcefile(code)
        result["line"] = inspect.getsourcelines(code)[1]
    except (OSError, TypeError, ValueError):
        pass
    return result


def own_doc(value: Any) -> str | None:
    doc = value.__doc__
    return inspect.cleandoc(doc) if isinstance(doc, str) and doc.strip() else None


def schema_of(value: Any) -> Any:
    """The JSON Schema that a tool object carries under one of the usual names."""
    for key in (
        "parameters", "input_schema", "inputSchema", "params_json_schema", "parameters_json_schema"
    ):  # fmt: skip
        found = getattr(value, key, None)
        if isinstance(found, Mapping):
            return dict(found)
    made = getattr(getattr(value, "function_schema", None), "json_schema", None)  # pydantic-ai
    if isinstance(made, Mapping):
        return dict(made)
    if takes_one_text(value):
        return {
            "type": "object", "properties": {"__arg1": {"type": "string"}}, "required": ["__arg1"]
        }  # fmt: skip
    # What a model sees comes first: LangChain's `args_schema` has injected arguments as well.
    for key in ("tool_call_schema", "args_schema", "input_model"):
        try:
            found = getattr(value, key, None)
        except Exception:
            continue
        if isinstance(found, Mapping):
            return dict(found)
        if isinstance(found, type):
            return type_schemas.class_schema(found)
    return type_schemas.inputs_schema(getattr(value, "inputs", None))


def takes_one_text(value: Any) -> bool:
    """Whether it is LangChain's oldest form of tool, which models are told has `__arg1`."""
    return getattr(value, "args_schema", None) is None and any(
        each.__name__ == "Tool" and each.__module__.split(".")[0] in ("langchain", "langchain_core")
        for each in type(value).__mro__
    )
