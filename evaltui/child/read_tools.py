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
    from evaltui.child import inside, tool_shapes
else:

    def _beside(name):
        spec = importlib.util.spec_from_file_location(
            f"_evaltui_{name}", Path(__file__).with_name(f"{name}.py")
        )
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    inside, tool_shapes = _beside("inside"), _beside("tool_shapes")

LISTS = ("TOOLS", "tools", "ALL_TOOLS", "all_tools", "tool_registry", "TOOL_REGISTRY", "registry")
"""Names under which a module usually lists its tools; what stands there is not searched for."""


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
    found = tool_shapes.definition(value, listed)
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
