"""Methods of known lists."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from evaltui.registries.typescript.functions import returned
from evaltui.registries.typescript.operators import truth
from evaltui.registries.typescript.values import (
    MAX_ITEMS,
    MAX_TEXT,
    UNDEFINED,
    Arr,
    Class,
    External,
    Function,
    Obj,
    Slot,
    Unknown,
    Value,
    as_text,
    is_primitive,
)

if TYPE_CHECKING:
    from evaltui.registries.typescript.evaluation import Evaluator

_SORTS = ("sort", "toSorted")
_OF_EACH = frozenset(("map", "filter", "flatMap", "concat", "flat", *_SORTS))
"""What they say of the known items of a list holds whatever else is in it."""
_LISTING = _OF_EACH | {
    "slice", "splice", "toSpliced", "with", "fill", "copyWithin", "reverse", "toReversed",
    "reduce", "reduceRight",
}  # fmt: skip
"""Methods that give a list, or may."""


def list_method(receiver: Arr, name: str, arguments: Arr, evaluator: "Evaluator") -> Value | None:
    """The result, `None` when the method or its arguments are not among the known ones."""
    if receiver.hole is None:
        return _of_items(receiver, name, arguments, evaluator)
    if name not in _OF_EACH:
        return None
    found = _of_items(replace(receiver, hole=None), name, arguments, evaluator)
    return replace(found, hole=receiver.hole) if isinstance(found, Arr) else None


def changed_list(receiver: Value, name: str, place: Unknown) -> Arr | None:
    """What a method gives that is not understood: the items, of which some may be changed, left
    out or joined by others. `None` for what gives no list."""
    if not isinstance(receiver, Arr) or name not in _LISTING:
        return None
    return replace(receiver, hole=receiver.hole or place)


def _of_items(items: Arr, name: str, arguments: Arr, evaluator: "Evaluator") -> Value | None:
    values = [slot.value for slot in arguments.items]
    match name, values:
        case "join", ([] | [str()]):
            return _joined(items, str(values[0]) if values else ",")
        case "concat", _:
            return _concatenated(items, arguments)
        case "map", [Function() as function]:
            return mapped(items, function, arguments.items[0], evaluator)
        case "flatMap", [Function() as function]:
            made = mapped(items, function, arguments.items[0], evaluator)
            # What is not known may be a list.
            is_known = made is not None and all(_is_evident(slot.value) for slot in made.items)
            return _flat(made) if made is not None and is_known else None
        case "filter", [External(module="", path="Boolean")]:
            if not all(is_primitive(slot.value) for slot in items.items):
                return items
            return Arr(tuple(slot for slot in items.items if slot.value))
        case "filter", [Function() as function]:
            return _filtered(items, function, arguments.items[0], evaluator)
        case "flat", []:
            return _flat(items)
        case (("reverse" | "toReversed"), []):
            return Arr(items.items[::-1])
        case "slice", []:
            return items
        case "slice", [int(start)]:
            return Arr(items.items[start:])
        case "slice", [int(start), int(end)]:
            return Arr(items.items[start:end])
        case "at", [int(index)] if -len(items.items) <= index < len(items.items):
            return items.items[index].value
        case (("includes" | "has"), [sought]) if is_primitive(sought):
            if all(is_primitive(slot.value) for slot in items.items):
                kept = (slot.value for slot in items.items)
                return any(type(one) is type(sought) and one == sought for one in kept)
        case _ if name in _SORTS and not any(is_primitive(slot.value) for slot in items.items):
            return items  # no order of tools matters
    return None


def _is_evident(value: Value) -> bool:
    return is_primitive(value) or isinstance(value, Obj | Class | Function | Arr)


def _joined(items: Arr, separator: str) -> str | None:
    parts = [
        "" if slot.value is None or slot.value is UNDEFINED else as_text(slot.value)
        for slot in items.items
    ]
    if None in parts:
        return None
    joined = separator.join(part or "" for part in parts)
    return joined if len(joined) <= MAX_TEXT else None


def _concatenated(items: Arr, arguments: Arr) -> Arr | None:
    found = list(items.items)
    hole = None
    for slot in arguments.items:
        if isinstance(slot.value, Arr):
            hole = hole or slot.value.hole
            found += slot.value.items
        else:
            found.append(slot)
        if len(found) > MAX_ITEMS:
            return None
    return Arr(tuple(found), hole)


def _flat(items: Arr) -> Arr | None:
    flat: list[Slot] = []
    hole = None
    for slot in items.items:
        hole = hole or (slot.value.hole if isinstance(slot.value, Arr) else None)
        flat += slot.value.items if isinstance(slot.value, Arr) else [slot]
        if len(flat) > MAX_ITEMS:
            return None
    return Arr(tuple(flat), hole)


def _results(
    items: Arr, function: Function, place: Slot, evaluator: "Evaluator"
) -> Iterator[tuple[Slot, Value]]:
    """Each item, and what a function returns for it; ends early where that takes too long."""
    with evaluator.budget.calling(function):
        for index, slot in enumerate(items.items):
            arguments = (slot, Slot(index, place.module, place.node))
            yield slot, returned(function, evaluator, arguments)
            if evaluator.budget.is_spent:
                return


def mapped(items: Arr, function: Function, place: Slot, evaluator: "Evaluator") -> Arr | None:
    """What a function, written at `place`, makes of each item."""
    found = _results(items, function, place, evaluator)
    made = tuple(slot._replace(value=value) for slot, value in found)
    return Arr(made) if len(made) == len(items.items) else None


def _filtered(items: Arr, function: Function, place: Slot, evaluator: "Evaluator") -> Arr | None:
    """The items that a function wants; `None` if it does not say so of each."""
    wanted = [truth(value) for _, value in _results(items, function, place, evaluator)]
    if None in wanted or len(wanted) < len(items.items):
        return None
    return Arr(
        tuple(slot for slot, is_wanted in zip(items.items, wanted, strict=True) if is_wanted)
    )
