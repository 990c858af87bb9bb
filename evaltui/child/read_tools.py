"""Runs inside the child: finds tool definitions in a Python module and writes them as one line.

Started by its path with any Python from 3.9 on, so it imports the standard library only.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import inspect
import os
import sys
import types
import typing
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaltui.child import inside
else:
    _spec = importlib.util.spec_from_file_location(
        "_evaltui_inside", Path(__file__).with_name("inside.py")
    )
    inside = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(inside)

LISTS = ("TOOLS", "tools", "ALL_TOOLS", "all_tools", "tool_registry", "TOOL_REGISTRY", "registry")
"""Names under which a module usually lists its tools; what stands there is not searched for."""
MARKS = ("__tool__", "_is_tool", "is_tool", "__is_tool__", "tool_schema", "__tool_schema__")
"""Attributes that decorators leave on a function that is a tool."""
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


def tools_in(module: types.ModuleType, name: str) -> list[dict[str, Any]]:
    """Every definition: of the named attribute, else of a list with a usual name, else all."""
    if name:
        found: Any = module
        for part in name.split("."):
            found = getattr(found, part)
        return list(definitions(found, listed=True))
    for known in LISTS:
        value = vars(module).get(known)
        if isinstance(value, (list, tuple, dict)) and value:
            return list(definitions(value, listed=True))
    result: list[dict[str, Any]] = []
    for value in list(vars(module).values()):
        if isinstance(value, types.ModuleType) or value is None:
            continue
        result += definitions(value, listed=False)
    return unique(result)


def unique(found: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """An object under two names is one tool."""
    return list({(each["name"], each.get("line", 0)): each for each in found}.values())


def definitions(value: Any, listed: bool) -> Iterable[dict[str, Any]]:
    """The tools that a value is or holds; `listed`: it stands where tools stand."""
    if isinstance(value, (list, tuple, set)):
        if listed:
            for item in value:
                yield from definitions(item, listed=True)
        return
    server = tools_of_server(value)
    if server is not None:
        yield from server
        return
    found = definition(value, listed)
    if found is not None:
        yield found
    elif listed and isinstance(value, Mapping):
        for key, item in value.items():
            for each in definitions(item, listed=True):
                yield each if each.get("name") else {**each, "name": str(key)}


def tools_of_server(value: Any) -> list[dict[str, Any]] | None:
    """The tools of a FastMCP server of the SDK or of the package of that name."""
    manager = getattr(value, "_tool_manager", None)
    tools = getattr(manager, "_tools", None)
    if tools is None and type(value).__name__ in ("FastMCP", "MCPServer"):
        listing = getattr(value, "list_tools", None) or getattr(value, "get_tools", None)
        if callable(listing):
            import asyncio

            tools = asyncio.run(listing())
    if tools is None or isinstance(value, type):
        return None
    each = tools.values() if isinstance(tools, Mapping) else tools
    return [found for tool in each if (found := definition(tool, listed=True)) is not None]


def definition(value: Any, listed: bool) -> dict[str, Any] | None:
    """One tool, or `None`."""
    if isinstance(value, Mapping):
        return from_mapping(value)
    if isinstance(value, type):
        return from_class(value, listed)
    schema = schema_of(value)
    name, description = getattr(value, "name", None), getattr(value, "description", None)
    if isinstance(name, str) and name and (schema is not None or isinstance(description, str)):
        function = getattr(value, "fn", None) or getattr(value, "func", None)
        function = function or getattr(value, "coroutine", None) or getattr(value, "handler", None)
        if schema is None and callable(function):
            schema = signature_schema(function)
        if schema is None and not listed:
            return None
        return said(name, description, schema, function or value, value)
    if inspect.isroutine(value):
        return from_function(value, listed)
    return None


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
    if isinstance(schema, type):
        schema = class_schema(schema)
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
    schema = class_schema(value)
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
        schema = marked.get("parameters") or marked.get("input_schema") or signature_schema(value)
        return said(name, marked.get("description") or own_doc(value), schema, value)
    return said(value.__name__, own_doc(value), signature_schema(value), value)


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
    for key in ("parameters", "input_schema", "inputSchema", "params_json_schema"):
        found = getattr(value, key, None)
        if isinstance(found, Mapping):
            return dict(found)
    for key in ("args_schema", "tool_call_schema", "input_model"):
        try:
            found = getattr(value, key, None)
        except Exception:
            continue
        if isinstance(found, Mapping):
            return dict(found)
        if isinstance(found, type):
            return class_schema(found)
    return None


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


def main(target: str, root: str) -> None:
    wire = inside.Wire()
    printed = sys.stdout = sys.stderr = inside.Printed()
    os.chdir(root)
    place, _, name = target.rpartition(":")
    if not place or place.endswith((":", "\\\\")) or "/" in name or name.endswith(".py"):
        place, name = target, ""
    said: dict[str, Any] = {}
    try:
        said["tools"] = tools_in(inside.load_module(place, root), name)
    except BaseException as error:
        said["error"] = inside.fault(error, root)
    said["printed"] = printed.take()
    said["files"] = inside.project_files(root)
    try:
        wire.say(said)
    except (TypeError, ValueError, RecursionError) as error:
        wire.say({"error": f"the definitions cannot be written as JSON ({error})",
                  "files": said["files"], "printed": said["printed"]})  # fmt: skip
    sys.stdout = sys.stderr = sys.__stderr__
    os._exit(0)  # a server that the module started must not keep it alive


if __name__ == "__main__":
    inside.leave_folder(__file__)
    main(sys.argv[1], sys.argv[2])
