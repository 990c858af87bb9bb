"""Methods of known texts and lists."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from evaltui.registries.typescript.functions import returned
from evaltui.registries.typescript.values import (
    MAX_ITEMS,
    MAX_TEXT,
    UNDEFINED,
    Arr,
    External,
    Function,
    Slot,
    Value,
    as_text,
    is_primitive,
)

if TYPE_CHECKING:
    from evaltui.registries.typescript.evaluation import Evaluator

_SPACE = " \t\n\v\f\r\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(
    chr(code) for code in range(0x2000, 0x200B)
)
"""What JavaScript's `trim` takes away."""
_TEXT: dict[str, Callable[[str], Value]] = {
    "trim": lambda text: text.strip(_SPACE),
    "trimStart": lambda text: text.lstrip(_SPACE),
    "trimEnd": lambda text: text.rstrip(_SPACE),
    "toLowerCase": str.lower,
    "toUpperCase": str.upper,
    "toString": str,
    "valueOf": str,
}


def method_call(receiver: Value, name: str, arguments: Arr, evaluator: "Evaluator") -> Value | None:
    """The result, `None` when the method or its arguments are not among the known ones."""
    if arguments.hole is not None:
        return None
    values = [slot.value for slot in arguments.items]
    if isinstance(receiver, str):
        return _of_text(receiver, name, values)
    if isinstance(receiver, Arr) and receiver.hole is None:
        return _of_list(receiver, name, arguments, values, evaluator)
    if isinstance(receiver, int | float) and name == "toString" and not values:
        return as_text(receiver)
    return None


def _of_text(text: str, name: str, values: list[Value]) -> Value | None:
    if name in _TEXT and not values:
        return _TEXT[name](text)
    match name, values:
        case "concat", _:
            parts = [as_text(value) for value in values]
            whole = "" if None in parts else text + "".join(part or "" for part in parts)
            return None if None in parts or len(whole) > MAX_TEXT else whole
        case "repeat", [int(count)] if 0 <= count * len(text) <= MAX_TEXT:
            return text * count
        case "replace", [str(old), str(new)] if "$" not in new:
            return text.replace(old, new, 1)
        case "replaceAll", [str(old), str(new)] if "$" not in new:
            length = len(text) + text.count(old) * (len(new) - len(old))
            return text.replace(old, new) if length <= MAX_TEXT else None
        case (("slice" | "substring"), [int(start)]) if start >= 0 and text.isascii():
            return text[start:]
        case (("slice" | "substring"), [int(start), int(end)]) if (
            0 <= start <= end and text.isascii()
        ):
            return text[start:end]
    return None


def _of_list(
    items: Arr, name: str, arguments: Arr, values: list[Value], evaluator: "Evaluator"
) -> Value | None:
    match name, values:
        case "join", ([] | [str()]):
            separator = values[0] if values else ","
            parts = [
                "" if slot.value is None or slot.value is UNDEFINED else as_text(slot.value)
                for slot in items.items
            ]
            if None in parts:
                return None
            joined = str(separator).join(part or "" for part in parts)
            return joined if len(joined) <= MAX_TEXT else None
        case "concat", _:
            found = list(items.items)
            for slot in arguments.items:
                if isinstance(slot.value, Arr):
                    if slot.value.hole is not None:
                        return None
                    found += slot.value.items
                else:
                    found.append(slot)
                if len(found) > MAX_ITEMS:
                    return None
            return Arr(tuple(found))
        case "map", [Function() as function]:
            return _mapped(items, function, arguments.items[0], evaluator)
        case "filter", [External(module="", path="Boolean")]:
            if not all(is_primitive(slot.value) for slot in items.items):
                return items
            return Arr(tuple(slot for slot in items.items if slot.value))
        case "flat", []:
            flat: list[Slot] = []
            for slot in items.items:
                flat += slot.value.items if isinstance(slot.value, Arr) else [slot]
                if len(flat) > MAX_ITEMS:
                    return None
            return Arr(tuple(flat))
        case "reverse", []:
            return Arr(items.items[::-1])
        case "slice", []:
            return items
        case "slice", [int(start)] if start >= 0:
            return Arr(items.items[start:])
        case "at", [int(index)] if -len(items.items) <= index < len(items.items):
            return items.items[index].value
    return None


def _mapped(items: Arr, function: Function, place: Slot, evaluator: "Evaluator") -> Arr | None:
    found: list[Slot] = []
    with evaluator.budget.calling(function):
        for index, slot in enumerate(items.items):
            arguments = (slot, Slot(index, place.module, place.node))
            found.append(slot._replace(value=returned(function, evaluator, arguments)))
            if evaluator.budget.is_spent:
                return None
    return Arr(tuple(found))
