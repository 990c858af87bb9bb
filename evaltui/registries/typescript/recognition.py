"""What an object with a name is, by the fields it has: a tool, a group of tools, something else."""

from evaltui.registries.typescript.arguments import PARAMETERS
from evaltui.registries.typescript.values import Arr, Obj, Value

_RUNS = frozenset(("execute", "handler", "func", "run", "invoke", "call", "callback", "_call"))
_PLACES = frozenset(("uri", "uriTemplate"))


def is_tool(value: Obj, *, loose: bool) -> bool:
    """An object with a name and, unless `loose`, parameters or code to run."""
    entries = value.entries
    has_more = _has_schema(value) or _runs(value)
    is_one = "name" in entries and (has_more or (loose and "description" in entries))
    return is_one and not is_group(value) and not _is_beside_tools(value)


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
    """Whether it takes `arguments` as prompts do: texts, which need no type."""
    written = value.get("arguments")
    items = [slot.value for slot in written.items] if isinstance(written, Arr) else []
    return bool(items) and all(
        isinstance(item, Obj) and "name" in item.entries and "type" not in item.entries
        for item in items
    )


def _has_schema(value: Obj) -> bool:
    return any(name in value.entries for name in PARAMETERS)


def _runs(value: Obj) -> bool:
    return not _RUNS.isdisjoint(value.entries)
