"""Calls of Gemini whose arguments are streamed in pieces."""

from collections.abc import Sequence
from re import compile as pattern

from evaltui.core.json_value import Json, JsonObject
from evaltui.traces.importers.part import Part

CALL = ("functionCall", "function_call")
_PIECES = ("partialArgs", "partial_args")
_GOES_ON = ("willContinue", "will_continue")
_STEP = pattern(
    r"""\.(?P<name>[^.\[\]]+)|\[(?P<at>\d{1,4})\]|\['(?P<one>[^']*)'\]|\["(?P<two>[^"]*)"\]"""
)
"""A step of a JSON path as Gemini writes it."""
_DEEPEST = 100
_VALUES = ("stringValue", "string_value", "numberValue", "number_value", "boolValue", "bool_value")


def goes_on_in(part: Json, piece: Json) -> bool:
    """Whether a part of an answer is a call whose next piece the other one is."""
    before, after = _call_of(part), _call_of(piece)
    return (
        before is not None
        and after is not None
        and is_unfinished(before)
        and not after.text("name")
    )


def joined(part: JsonObject, piece: JsonObject) -> dict[str, Json]:
    """The part with the next piece of its call."""
    before, after = _call_of(part), _call_of(piece)
    assert before is not None
    assert after is not None
    told = {key: one for key, one in after.value.items() if one is not None}
    kept = {key: one for key, one in before.value.items() if key not in _GOES_ON}
    listed = [*_pieces(before), *_pieces(after)]
    call: dict[str, Json] = {**kept, **told}
    for key in _PIECES:
        call.pop(key, None)
    key = next(key for key in CALL if isinstance(part.get(key), dict))
    return {**part, key: {**call, _PIECES[0]: listed} if listed else call}


def is_unfinished(call: Part) -> bool:
    """Whether more of its arguments was to come."""
    return call.first(*_GOES_ON) is True


def arguments_of(call: Part) -> Json:
    """What a call was made with, its pieces put together.

    Raises ValueError for pieces that cannot be.
    """
    told = call.first("args", "arguments")
    pieces = _pieces(call)
    if told or not pieces:
        return told
    found: dict[str, Json] = {}
    for piece in pieces:
        if not isinstance(piece, dict):
            raise ValueError
        _put(found, _steps(Part(piece).text("jsonPath", "json_path")), Part(piece).first(*_VALUES))
    return found


def _call_of(part: Json) -> Part | None:
    """The call that a part is, also one without anything in it, as the last piece is."""
    if not isinstance(part, dict):
        return None
    calls = (part[key] for key in CALL if isinstance(part.get(key), dict))
    call = next(calls, None)
    return Part(call) if isinstance(call, dict) else None


def _pieces(call: Part) -> Sequence[Json]:
    found = call.first(*_PIECES)
    return found if isinstance(found, list) else []


def _steps(path: str) -> list[str | int]:
    """Names and places of a JSON path below the arguments. Raises ValueError for any other text."""
    found: list[str | int] = []
    at = 1
    while path.startswith("$") and (step := _STEP.match(path, at)):
        found.append(int(step["at"]) if step["at"] else step["name"] or step["one"] or step["two"])
        at = step.end()
    if not 0 < len(found) <= _DEEPEST or at < len(path):
        raise ValueError(path)
    return found


def _put(into: Json, steps: Sequence[str | int], value: Json) -> None:
    """Put a value where the steps lead; a text goes on in the one that stands there.

    Raises ValueError where something else stands on the way.
    """
    step, *rest = steps
    if isinstance(into, dict) and isinstance(step, str):
        inner = into.get(step)
    elif isinstance(into, list) and isinstance(step, int) and step <= len(into):
        inner = into[step] if step < len(into) else None
    else:
        raise ValueError(step)
    if rest:
        inner = ([] if isinstance(rest[0], int) else {}) if inner is None else inner
        _put(inner, rest, value)
    elif isinstance(inner, str) and isinstance(value, str):
        inner += value
    elif inner is None:
        inner = value
    elif value is not None:
        raise ValueError(step)
    if isinstance(into, dict):
        into[str(step)] = inner
    elif isinstance(into, list):
        into[int(step) : int(step) + 1] = [inner]
