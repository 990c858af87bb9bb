"""Functions of the language itself: `Object.values`, `String`, `JSON.stringify` and the like."""

import json
from typing import TYPE_CHECKING

from evaltui.registries.typescript.list_methods import mapped
from evaltui.registries.typescript.objects import namespace_object
from evaltui.registries.typescript.plain import NotStatic, to_json
from evaltui.registries.typescript.values import (
    Arr,
    Function,
    Namespace,
    Obj,
    Slot,
    Unknown,
    Value,
    as_text,
)

if TYPE_CHECKING:
    from evaltui.registries.typescript.evaluation import Evaluator

_SAME = frozenset((
    "Object.freeze", "Object.seal", "Array.from", "structuredClone",
))  # fmt: skip


def global_call(path: str, arguments: Arr, place: Unknown, evaluator: "Evaluator") -> Value | None:
    """The result of a call to a global function, `None` when it is none of those known."""
    if not arguments.items or arguments.hole is not None:
        return None
    slot, count = arguments.items[0], len(arguments.items)
    value = slot.value
    if path in _SAME and count == 1:
        return value
    if path == "String" and count == 1:
        return as_text(value)
    if path == "JSON.stringify" and count in (1, 3):
        return _stringify(arguments, place)
    if path in ("Object.values", "Object.keys", "Object.entries") and count == 1:
        if isinstance(value, Namespace):
            value = namespace_object(value, evaluator, slot.node)
        return _listed(path, value, slot) if isinstance(value, Obj) else None
    if path == "Array.from" and count == 2 and isinstance(value, Arr):
        function = arguments.items[1]
        made = None
        if isinstance(function.value, Function):
            made = mapped(value, function.value, function, evaluator)
        return Arr((made or value).items, value.hole or (None if made else place))
    if path == "Object.fromEntries" and count == 1 and isinstance(value, Arr):
        return _from_entries(value, slot)
    if path == "Object.assign":
        entries: dict[str, Slot] = {}
        for item in arguments.items:
            if not isinstance(item.value, Obj) or item.value.hole is not None:
                return None
            entries |= item.value.entries
        return Obj(entries, slot.module, slot.node, deps=(slot.module.shown,))
    return None


def _listed(path: str, value: Obj, slot: Slot) -> Arr:
    if path == "Object.values":
        keyed = (item._replace(key=key) for key, item in value.entries.items())
        return Arr(tuple(keyed), value.hole)
    keys = tuple(Slot(key, slot.module, slot.node) for key in value.entries)
    if path == "Object.keys":
        return Arr(keys, value.hole)
    pairs = zip(keys, value.entries.values(), strict=True)
    return Arr(
        tuple(Slot(Arr(pair), slot.module, slot.node) for pair in pairs),
        value.hole,
    )


def _from_entries(pairs: Arr, slot: Slot) -> Obj | None:
    """An object of pairs; `None` if a key is not known."""
    entries: dict[str, Slot] = {}
    for pair in pairs.items:
        if not isinstance(pair.value, Arr) or pair.value.hole or len(pair.value.items) != 2:
            return None
        key, value = pair.value.items
        if not isinstance(key.value, str):
            return None
        entries[key.value] = value
    shadowed = frozenset(entries if pairs.hole else ())
    return Obj(entries, slot.module, slot.node, pairs.hole, shadowed, (slot.module.shown,))


def _stringify(arguments: Arr, place: Unknown) -> Value:
    indent: int | str | None = None
    if len(arguments.items) == 3:
        asked = arguments.items[2].value
        if arguments.items[1].value is not None or not isinstance(asked, int | str):
            return place
        indent = asked
    try:
        plain = to_json(arguments.items[0].value, place)
    except NotStatic as error:
        return error.unknown
    separators = (",", ":") if indent is None else (",", ": ")
    return json.dumps(plain, ensure_ascii=False, indent=indent, separators=separators)
