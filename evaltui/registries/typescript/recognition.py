"""What an object with a name is, by the fields it has: a tool, a group of tools, something else."""

import re
from typing import TYPE_CHECKING

from evaltui.registries.typescript.arguments import PARAMETERS, RUNS
from evaltui.registries.typescript.values import Arr, Obj, Schema, Value

if TYPE_CHECKING:
    from tree_sitter import Node

_RUN = "run"
"""Evals, commands and jobs have it too: alone it makes no tool of an object."""
_ARGS = "args"
_SAYS_TOOL = re.compile(r"tool", re.IGNORECASE)
_SAYS_OTHER = re.compile(r"eval|scor(?:er|ing)|benchmark", re.IGNORECASE)
_AROUND = ("parenthesized_expression", "as_expression", "satisfies_expression")
_PLACES = frozenset(("uri", "uriTemplate"))


def is_tool(value: Obj, *, loose: bool) -> bool:
    """An object with a name and, unless `loose`, parameters or code to run.

    `run` is such code only where the object's type says that it is a tool.
    """
    entries = value.entries
    has_more = _has_schema(value) or not RUNS.isdisjoint(entries)
    has_more = has_more or (_RUN in entries and _is_typed_tool(value.node))
    is_one = "name" in entries and (has_more or (loose and "description" in entries))
    return is_one and not is_group(value) and not _is_beside_tools(value)


def says_other(name: str) -> bool:
    """Whether a list or function of this name holds or makes evals, and no tools."""
    return bool(_SAYS_OTHER.search(name)) and not _SAYS_TOOL.search(name)


def _is_typed_tool(node: "Node") -> bool:
    """Whether a tool is what `: Tool`, `satisfies Tool` or `as Tool` calls an object."""
    outer = node.parent
    while outer is not None and outer.type in _AROUND:
        if any(_calls_tool(part) for part in outer.named_children[1:]):
            return True
        outer = outer.parent
    typed = None if outer is None else outer.child_by_field_name("type")
    return typed is not None and _calls_tool(typed)


def _calls_tool(type_: "Node") -> bool:
    text = (type_.text or b"").decode("utf-8", "replace")
    return bool(_SAYS_TOOL.search(text)) and not _SAYS_OTHER.search(text)


def is_nameless_tool(value: Obj, in_map: bool) -> bool:
    """A tool but for its name, which the key that it stands under may be."""
    if "name" in value.entries or is_group(value):
        return False
    return "description" in value.entries and _has_schema(value) and (_runs(value) or in_map)


def is_group(value: Value) -> bool:
    """A named list of tools, which nobody calls: it has neither parameters nor code."""
    if not isinstance(value, Obj) or "tools" not in value.entries:
        return False
    is_named = "name" in value.entries or "description" in value.entries
    return is_named and not _has_schema(value) and not _runs(value)


def _is_beside_tools(value: Obj) -> bool:
    """A resource, a template of some or a prompt, as MCP servers have them beside tools."""
    if _has_schema(value):
        return False
    return not _PLACES.isdisjoint(value.entries) or (not _runs(value) and _is_prompt(value))


def _is_prompt(value: Obj) -> bool:
    """Whether it takes `arguments` as prompts do: texts, which need no type, or is loaded."""
    written = value.get("arguments")
    if isinstance(written, Arr) and "load" in value.entries:
        return True
    items = [slot.value for slot in written.items] if isinstance(written, Arr) else []
    return bool(items) and all(
        isinstance(item, Obj) and "name" in item.entries and "type" not in item.entries
        for item in items
    )


def _has_schema(value: Obj) -> bool:
    found = [name for name in PARAMETERS if name in value.entries]
    return any(name != _ARGS for name in found) or (bool(found) and _says_parameters(value))


def _says_parameters(value: Obj) -> bool:
    """Whether `args` are parameters: commands, fields of GraphQL and containers have such too."""
    if not RUNS.isdisjoint(value.entries):
        return True
    args = value.entries[_ARGS].value
    if isinstance(args, Obj) and "name" not in value.entries:
        return any(isinstance(slot.value, Schema) for slot in args.entries.values())
    return not isinstance(args, Arr)


def _runs(value: Obj) -> bool:
    return _RUN in value.entries or not RUNS.isdisjoint(value.entries)
