"""Which values are tool definitions: objects, calls, classes, and lists and maps of them."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from evaltui.registries.typescript.arguments import PARAMETERS, is_config, positional
from evaltui.registries.typescript.classes import class_object, is_error
from evaltui.registries.typescript.functions import returned
from evaltui.registries.typescript.module import Module
from evaltui.registries.typescript.objects import namespace_object
from evaltui.registries.typescript.plain import unknown_at
from evaltui.registries.typescript.values import (
    Arr,
    Call,
    Class,
    Function,
    Namespace,
    Obj,
    Slot,
    Unknown,
    Value,
    size_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node

    from evaltui.registries.typescript.evaluation import Evaluator

_RUNS = frozenset(("execute", "handler", "func", "run", "invoke", "call", "callback", "_call"))
_INNER = ("function", "definition", "spec", "declaration")
_MAKES_TOOLS = re.compile(r"tool|define|action|function", re.IGNORECASE)
_MAX_NESTING = 4


class Candidate(Struct, frozen=True):
    """A definition as written, not checked yet."""

    config: Obj
    module: Module
    node: "Node"
    key: str = ""
    """The key of the map it stands in, or its exported name: its name when it says none."""
    in_map: bool = False


class Opaque(Struct, frozen=True):
    """Something in a list of tools that cannot be read."""

    unknown: Unknown


def candidates(
    value: Value,
    evaluator: "Evaluator",
    key: str = "",
    *,
    in_map: bool = False,
    listed: bool = False,
    depth: int = 0,
) -> Iterator[Candidate | Opaque]:
    """Tool definitions in a value; in a list of tools (`listed`) also what hides one."""
    if depth > _MAX_NESTING:
        return
    match value:
        case Obj():
            yield from _of_object(value, evaluator, key, in_map, listed, depth)
        case Arr():
            for slot in value.items:
                if not evaluator.budget.weigh(size_of(slot.value)):
                    yield Opaque(unknown_at(slot))
                    return
                yield from _of_item(slot, evaluator, depth)
            if value.hole is not None:
                yield Opaque(value.hole)
        case Call():
            yield from _of_call(value, evaluator, key, in_map)
        case Class():
            if (fields := _of_class(value, evaluator)) is not None:
                yield Candidate(fields, value.scope.module, value.node)
        case Function():
            made = returned(value, evaluator, lenient=True)
            if isinstance(made, Obj | Call):
                inner = candidates(made, evaluator, key, in_map=in_map, depth=depth + 1)
                yield from (item for item in inner if isinstance(item, Candidate))
        case Namespace():
            whole = namespace_object(value, evaluator, value.module.root or _no_node())
            for name, slot in whole.entries.items():
                yield from candidates(slot.value, evaluator, name, depth=depth + 1)


def _of_item(slot: Slot, evaluator: "Evaluator", depth: int) -> Iterator[Candidate | Opaque]:
    is_keyed = bool(slot.key)
    found = list(
        candidates(slot.value, evaluator, slot.key, in_map=is_keyed, listed=True, depth=depth + 1)
    )
    # What comes from a map or a whole module may be anything; what somebody listed is a tool.
    if found or not is_keyed:
        yield from found or [Opaque(unknown_at(slot))]


def _no_node() -> "Node":
    raise LookupError("a namespace needs a parsed module")


def _of_object(
    value: Obj, evaluator: "Evaluator", key: str, in_map: bool, listed: bool, depth: int
) -> Iterator[Candidate | Opaque]:
    for inner_key in _INNER:
        inner = value.get(inner_key)
        if isinstance(inner, Obj) and "name" in inner.entries:
            outer = {name: slot for name, slot in value.entries.items() if name != inner_key}
            merged: Mapping[str, Slot] = {**outer, **inner.entries}
            deps = tuple(dict.fromkeys((*inner.deps, *value.deps)))
            config = replace(inner, entries=merged, deps=deps)
            yield Candidate(config, value.module, value.node)
            return
    if _is_tool(value, loose=listed):
        yield Candidate(value, value.module, value.node)
    elif key and "name" not in value.entries and _is_nameless_tool(value, in_map):
        yield Candidate(value, value.module, value.node, key, in_map)
    elif not any(name in value.entries for name in ("name", "description")):
        for name, slot in value.entries.items():
            yield from (
                found
                for found in candidates(slot.value, evaluator, name, in_map=True, depth=depth + 1)
                if isinstance(found, Candidate)
            )
        if listed and value.hole is not None:
            yield Opaque(value.hole)


def _of_class(class_: Class, evaluator: "Evaluator") -> Obj | None:
    """The fields of a class that is a tool; an error has a name too, and is none."""
    if is_error(class_, evaluator):
        return None
    fields = class_object(class_, evaluator)
    return fields if _is_tool(fields, loose=True) else None


def _is_tool(value: Obj, *, loose: bool) -> bool:
    """An object with a name and, unless `loose`, parameters or code to run."""
    entries = value.entries
    has_more = any(entry in entries for entry in (*PARAMETERS, *_RUNS))
    return "name" in entries and (has_more or (loose and "description" in entries))


def _is_nameless_tool(value: Obj, in_map: bool) -> bool:
    entries = value.entries
    has_schema = any(name in entries for name in PARAMETERS)
    runs = any(name in entries for name in _RUNS)
    return "description" in entries and has_schema and (runs or in_map)


def _of_call(
    call: Call, evaluator: "Evaluator", key: str, in_map: bool
) -> Iterator[Candidate | Opaque]:
    fields: Mapping[str, Slot] = {}
    deps = call.deps
    hole, shadowed = None, frozenset[str]()
    if isinstance(call.callee, Class):
        own = call.callee
        instance = _of_class(own, evaluator)
        if instance is not None:
            if call.args:
                deps = tuple(dict.fromkeys((*instance.deps, *deps)))
                instance = replace(instance, deps=deps)
            yield Candidate(instance, own.scope.module, own.node)
            return
    if not _MAKES_TOOLS.search(call.name):
        return
    if call.args and isinstance(call.args[0].value, str):
        fields = positional(call.args)
    for slot in call.args:
        if isinstance(slot.value, Obj) and is_config(slot.value):
            fields = {**fields, **slot.value.entries}
            hole, shadowed = slot.value.hole, slot.value.shadowed
            break
    if not fields:
        return
    name = fields.get("name") or fields.get("id")
    if name is not None:
        fields = {**fields, "name": name}
    elif not key:
        return
    config = Obj(fields, call.module, call.node, hole, shadowed, deps)
    yield Candidate(config, call.module, call.node, key, in_map)
