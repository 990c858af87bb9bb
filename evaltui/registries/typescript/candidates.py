"""Which values are tool definitions: objects, calls, classes, and lists and maps of them."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from evaltui.registries.typescript.arguments import is_config, positional
from evaltui.registries.typescript.candidate import SERVER, Candidate, Opaque, is_certain, proxied
from evaltui.registries.typescript.classes import class_object, is_beside_tools, is_error
from evaltui.registries.typescript.functions import returned
from evaltui.registries.typescript.module import pattern_names
from evaltui.registries.typescript.objects import namespace_object
from evaltui.registries.typescript.plain import unknown_at, unknown_of
from evaltui.registries.typescript.recognition import (
    is_group,
    is_nameless_tool,
    is_tool,
    says_other,
)
from evaltui.registries.typescript.scope import parameter_patterns
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

_INNER = ("function", "definition", "spec", "declaration")
_MAKES_TOOLS = re.compile(r"tool|define|action|function", re.IGNORECASE)
_MAX_NESTING = 4


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
            found = _of_list(value, evaluator, depth, listed=listed or not says_other(key))
            yield from found
        case Call():
            yield from _of_call(value, evaluator, key, in_map, depth)
        case Class():
            yield from _of_class(value, evaluator, depth)
        case Function():
            made = _returned(value, key, evaluator)
            inner: Iterator[Candidate | Opaque] = iter(())
            if isinstance(made, Obj | Call):
                inner = candidates(made, evaluator, key, in_map=in_map, depth=depth + 1)
            elif isinstance(made, Arr):
                # What a function returns is less often a list of tools than what is exported.
                of_tools = listed or key.lower().endswith("tools")
                inner = _of_returned(made, evaluator, depth, listed=of_tools)
            yield from (one for one in inner if is_certain(one) and not _is_handed(one, value))
        case Namespace():
            whole = namespace_object(value, evaluator, value.module.root or _no_node())
            for name, slot in whole.entries.items():
                held = list(candidates(slot.value, evaluator, name, depth=depth + 1))
                # A module exports lists of all kinds: one without a tool hides none.
                yield from held if any(map(is_certain, held)) else ()


def _returned(function: Function, key: str, evaluator: "Evaluator") -> Value:
    """What a function returns; `None` for one too many that nothing says to make a tool."""
    node, module = function.node, function.scope.module
    if _SPEAKS_OF_TOOLS.search(module.data, node.start_byte, node.end_byte) or _MAKES_TOOLS.search(
        key
    ):
        return returned(function, evaluator, lenient=True)
    with evaluator.budget.guessing() as has_time:
        return returned(function, evaluator, lenient=True) if has_time else None


_SPEAKS_OF_TOOLS = re.compile(rb"tool|description", re.IGNORECASE)


def _of_returned(
    value: Arr, evaluator: "Evaluator", depth: int, *, listed: bool
) -> Iterator[Candidate | Opaque]:
    """The tools in a list that a function returns; if there are some, also what hides one."""
    found = list(_of_list(replace(value, hole=None), evaluator, depth, listed=listed))
    if not any(isinstance(one, Candidate) for one in found):
        return
    found += [] if value.hole is None else [Opaque(value.hole)]
    yield from (replace(one, in_group=True) if isinstance(one, Opaque) else one for one in found)


def _is_handed(found: Candidate | Opaque, function: Function) -> bool:
    """Whether a tool's name is what a function is handed: it makes tools, and is none."""
    name = found.config.entries.get("name") if isinstance(found, Candidate) else None
    if name is None or not isinstance(name.value, Unknown):
        return False
    first = _FIRST_NAME.match(name.value.expression)
    patterns = parameter_patterns(function.node)
    module = function.scope.module
    handed = {own for pattern, _ in patterns for own, _ in pattern_names(pattern, module)}
    return first is not None and first[0] in handed


_FIRST_NAME = re.compile(r"[\w$]+")


def _of_list(
    value: Arr, evaluator: "Evaluator", depth: int, *, listed: bool = True
) -> Iterator[Candidate | Opaque]:
    found: list[Candidate | Opaque] = []
    for slot in value.items:
        if not evaluator.budget.weigh(size_of(slot.value)):
            yield from [*found, Opaque(unknown_at(slot))]
            return
        if listed:
            found += _of_item(slot, evaluator, depth)
        else:  # they may be anything
            held = candidates(slot.value, evaluator, slot.key, depth=depth + 1)
            found += filter(is_certain, held)
    if listed and value.hole is not None:
        # Whatever the list is called, what else is in it stands beside tools.
        found.append(Opaque(value.hole, in_group=any(map(is_certain, found))))
    yield from found


def _of_item(slot: Slot, evaluator: "Evaluator", depth: int) -> Iterator[Candidate | Opaque]:
    is_keyed = bool(slot.key)
    found = list(
        candidates(slot.value, evaluator, slot.key, in_map=is_keyed, listed=True, depth=depth + 1)
    )
    # What comes from a map or a whole module may be anything; what somebody listed is a tool.
    if found or not (is_keyed or is_group(slot.value)):
        yield from found or [Opaque(unknown_of(slot))]


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
    if is_group(value):
        yield from _of_group(value, evaluator, depth)
    elif is_tool(value, loose=listed):
        yield Candidate(value, value.module, value.node)
    elif key and is_nameless_tool(value, in_map):
        yield Candidate(value, value.module, value.node, key, in_map)
    elif not any(name in value.entries for name in ("name", "description")):
        for name, slot in value.entries.items():
            held = candidates(slot.value, evaluator, name, in_map=True, depth=depth + 1)
            yield from filter(is_certain, held)
        if listed and value.hole is not None:
            yield Opaque(value.hole)


def _of_group(value: Obj, evaluator: "Evaluator", depth: int) -> Iterator[Candidate | Opaque]:
    """The tools of a group, and what hides one."""
    found: list[Candidate | Opaque] = []
    match value.get("tools"):
        case None:
            return
        case Arr() as tools:
            # Names are those of tools that are defined elsewhere.
            items = tuple(slot for slot in tools.items if not isinstance(slot.value, str))
            found += _of_list(replace(tools, items=items), evaluator, depth)
        case Unknown() as unknown:
            found.append(Opaque(unknown))
        case Obj() | Namespace() as tools:
            found += candidates(tools, evaluator, listed=True, depth=depth)
            found = found or [Opaque(unknown_at(value.entries["tools"]))]
        case _:
            found.append(Opaque(unknown_at(value.entries["tools"])))
    yield from (
        replace(item, in_group=True) if isinstance(item, Opaque) else item for item in found
    )


def _of_class(
    class_: Class, evaluator: "Evaluator", depth: int, deps: tuple[str, ...] = ()
) -> Iterator[Candidate | Opaque]:
    """The tool that a class is, `deps` beside its own files; errors and prompts are none."""
    if is_error(class_, evaluator) or is_beside_tools(class_, evaluator):
        return
    fields = class_object(class_, evaluator)
    if is_group(fields):
        yield from _of_group(fields, evaluator, depth)
    elif is_tool(fields, loose=True):
        fields = replace(fields, deps=tuple(dict.fromkeys((*fields.deps, *deps))))
        yield Candidate(fields, class_.scope.module, class_.node)


def _of_call(
    call: Call, evaluator: "Evaluator", key: str, in_map: bool, depth: int
) -> Iterator[Candidate | Opaque]:
    deps = call.deps
    if (opaque := proxied(call)) is not None:
        target = call.args[0].value if call.args else None
        yield from _of_proxy(target, opaque, evaluator, key, in_map, depth)
        return
    if isinstance(call.callee, Class):
        made = list(_of_class(call.callee, evaluator, depth, deps if call.args else ()))
        is_other = is_error(call.callee, evaluator) or is_beside_tools(call.callee, evaluator)
        if made or is_other:
            yield from made
            return
    if not _MAKES_TOOLS.search(call.name) or says_other(call.name):
        return
    written: Obj | None
    if call.args and isinstance(call.args[0].value, str):
        written = positional(call.args, call.module, call.node)
    else:
        handed = (slot.value for slot in call.args)
        configs = (value for value in handed if isinstance(value, Obj) and is_config(value))
        written = next(configs, None)
    if written is None:
        return
    fields = written.entries
    name = fields.get("name") or fields.get("id")
    if name is not None:
        fields = {**fields, "name": name}
    elif not key:
        return
    config = Obj(fields, call.module, call.node, written.hole, written.shadowed, deps)
    if is_group(config):
        yield from _of_group(config, evaluator, depth)
        return
    yield Candidate(config, call.module, call.node, key, in_map)


def _of_proxy(
    target: Value, opaque: Opaque, evaluator: "Evaluator", key: str, in_map: bool, depth: int
) -> Iterator[Candidate | Opaque]:
    """The tools as they are behind a proxy, and that it may change them; servers have some."""
    held = list(candidates(target, evaluator, key, in_map=in_map, depth=depth + 1))
    yield from held
    is_server = isinstance(target, Call) and SERVER.search(target.name) is not None
    if is_server or any(map(is_certain, held)):
        yield opaque
