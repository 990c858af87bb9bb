"""Methods of known texts, lists and numbers."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from evaltui.registries.typescript.list_methods import list_method
from evaltui.registries.typescript.values import (
    MAX_TEXT,
    Arr,
    Value,
    as_text,
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
    if isinstance(receiver, Arr):
        return list_method(receiver, name, arguments, evaluator)
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
        case (("startsWith" | "endsWith" | "includes"), [str(part)]):
            found = {"startsWith": text.startswith, "endsWith": text.endswith}
            return found[name](part) if name in found else part in text
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
