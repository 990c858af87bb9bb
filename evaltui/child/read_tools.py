"""Runs inside the child: finds tool definitions in a Python module and writes them as one line.

Started by its path with any Python from 3.9 on, so it imports the standard library only.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import types
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaltui.child import fresh_modules, inside, tool_shapes, toolsets
else:

    def _beside(name):
        spec = importlib.util.spec_from_file_location(
            f"_evaltui_{name}", Path(__file__).with_name(f"{name}.py")
        )
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    inside, fresh_modules = _beside("inside"), _beside("fresh_modules")
    tool_shapes, toolsets = _beside("tool_shapes"), _beside("toolsets")

LISTS = ("TOOLS", "tools", "ALL_TOOLS", "all_tools", "tool_registry", "TOOL_REGISTRY", "registry")
"""Names under which a module usually lists its tools; what stands there is not searched for."""


def tools_in(module: types.ModuleType, name: str, unread: list[str]) -> list[dict[str, Any]]:
    """Every definition: of the named attribute, else of a list with a usual name, else all.

    To `unread` goes the type of what a list has that is no tool, as far as can be told.
    """
    if name:
        found: Any = module
        for part in name.split("."):
            found = getattr(found, part)
        return list(definitions(found, True, unread))
    for known in LISTS:
        value = vars(module).get(known)
        if isinstance(value, (list, tuple, dict)) and value:
            return list(definitions(value, True, unread))
    result: list[dict[str, Any]] = []
    values = [each for each in vars(module).values() if not isinstance(each, types.ModuleType)]
    parts = {id(part) for value in values for part in toolsets.held(value)}
    for value in values:
        if value is None or id(value) in parts:
            continue
        result += definitions(value, False, unread)
    return unique(result)


def unique(found: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """An object under two names is one tool."""
    return list({(each["name"], each.get("line", 0)): each for each in found}.values())


def definitions(value: Any, listed: bool, unread: list[str]) -> Iterable[dict[str, Any]]:
    """The tools that a value is or holds; `listed`: it stands where tools stand."""
    if isinstance(value, (list, tuple, set)):
        if listed:
            for item in value:
                yield from definitions(item, True, unread)
        return
    found = tools_of_server(value)
    found = tools_of_toolkit(value) if found is None else found
    found = tools_of_toolset(value, unread) if found is None else found
    if found is None:
        tool = tool_shapes.definition(value, listed)
        found = None if tool is None else [tool]
    if found is not None:
        yield from found
    elif listed and isinstance(value, Mapping):
        for key, item in value.items():
            # A list has tools; what else a map has may be anything.
            noted = unread if isinstance(item, (list, tuple, set, Mapping)) else []
            for each in definitions(item, True, noted):
                yield each if each.get("name") else {**each, "name": str(key)}
    elif listed and value is not None and not isinstance(value, str):
        unread.append(value.__name__ if isinstance(value, type) else type(value).__name__)


def tools_of_toolkit(value: Any) -> list[dict[str, Any]] | None:
    """The functions of a toolkit of agno."""
    known, others = getattr(value, "functions", None), getattr(value, "async_functions", None)
    if isinstance(value, type) or not isinstance(known, Mapping):
        return None
    both = [*{**known, **(others if isinstance(others, Mapping) else {})}.values()]
    if not both or not all(hasattr(type(each), "process_entrypoint") for each in both):
        return None
    return [tool_shapes.from_agno(each) for each in both]


def tools_of_toolset(value: Any, unread: list[str]) -> list[dict[str, Any]] | None:
    """Those of a toolset or an agent of pydantic-ai."""
    found = toolsets.tools_of(value, unread)
    if found is None:
        return None
    made = [(name, tool_shapes.definition(tool, listed=True)) for name, tool in found]
    return [{**tool, "name": name} for name, tool in made if tool is not None]


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
    return [
        found for tool in each if (found := tool_shapes.definition(tool, listed=True)) is not None
    ]


def main(target: str, root: str) -> None:
    wire = inside.Wire()
    printed = sys.stdout = sys.stderr = inside.Printed()
    os.chdir(root)
    place, _, name = target.rpartition(":")
    if not place or place.endswith((":", "\\\\")) or "/" in name or name.endswith(".py"):
        place, name = target, ""
    said: dict[str, Any] = {}
    try:
        said["unread"] = []
        said["tools"] = tools_in(fresh_modules.load_module(place, root), name, said["unread"])
    except BaseException as error:
        said["error"], said["place"] = inside.fault(error, root), inside.place(error, root)
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
