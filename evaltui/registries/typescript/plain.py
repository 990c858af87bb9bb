"""Known values as plain JSON."""

from evaltui.core.json_value import Json
from evaltui.registries.typescript.values import (
    UNDEFINED,
    Arr,
    Call,
    Class,
    External,
    Function,
    Obj,
    Schema,
    Slot,
    Unknown,
    Value,
)

MAX_NODES = 20_000
"""Parts a value may have; constants that repeat one another can grow without end."""


class NotStatic(Exception):
    """Part of the value is not known."""

    def __init__(self, unknown: Unknown) -> None:
        super().__init__(unknown.expression)
        self.unknown = unknown


def unknown_at(slot: Slot) -> Unknown:
    """Why a slot's value cannot be used."""
    if isinstance(slot.value, Unknown):
        return slot.value
    text = " ".join(slot.module.text(slot.node)[:320].split())
    shown = text if len(text) <= 80 else f"{text[:79]}…"
    return Unknown(shown, slot.module.shown, slot.line)


def unknown_of(slot: Slot) -> Unknown:
    """As `unknown_at`; of a call, the place where it stands, whatever handed on its result."""
    value = slot.value
    at = slot._replace(module=value.module, node=value.node) if isinstance(value, Call) else slot
    return unknown_at(at)


def culprit(arguments: Arr, place: Unknown) -> Unknown:
    """The first argument that is not known, else `place`, the whole call."""
    for slot in arguments.items:
        if isinstance(slot.value, Call | Function | External | Class | Unknown):
            return unknown_at(slot)
    return place


def to_json(value: Value, place: Unknown) -> Json:
    """`value` without undefined members; raises `NotStatic`, blaming `place` or a part of it."""
    return _convert(value, place, [MAX_NODES])


def _convert(value: Value, place: Unknown, left: list[int]) -> Json:
    left[0] -= 1
    if left[0] < 0:
        raise NotStatic(place)
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Unknown():
            raise NotStatic(value)
        case Obj():
            if value.hole is not None:
                raise NotStatic(value.hole)
            return {
                key: _convert(slot.value, unknown_at(slot), left)
                for key, slot in value.entries.items()
                if slot.value is not UNDEFINED
            }
        case Arr():
            if value.hole is not None:
                raise NotStatic(value.hole)
            return [
                None if slot.value is UNDEFINED else _convert(slot.value, unknown_at(slot), left)
                for slot in value.items
            ]
        case Schema(hole=None):
            return value.json
        case Schema(hole=hole):
            raise NotStatic(hole or place)
        case _:
            raise NotStatic(place)


def is_too_large(value: Json) -> bool:
    """Whether a JSON value has more than `MAX_NODES` parts, shared ones counted each time."""
    pending, seen = [value], 0
    while pending:
        item = pending.pop()
        seen += 1
        if seen > MAX_NODES:
            return True
        if isinstance(item, dict):
            pending.extend(item.values())
        elif isinstance(item, list | tuple):
            pending.extend(item)
    return False
