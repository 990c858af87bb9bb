"""Events and results as JSON, both ways."""

import json
import sys
from collections.abc import Hashable, Mapping, Set
from dataclasses import is_dataclass
from typing import Any, TypeVar, cast, get_args

from evaltui.core.events import CaseStarted, Event, ToolCalled, TurnFinished
from evaltui.store.decoding import decoder_of

T = TypeVar("T")

EVENTS: Mapping[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}


def encode(value: object) -> bytes:
    """Compact JSON of dataclasses, mappings and plain values; NaN and infinities become null."""
    if "pydantic_core" not in sys.modules and _by_json.left > 0:
        try:
            line = _SMALL.encode(value).encode()
        except (ValueError, TypeError):
            pass
        else:
            _by_json.left -= len(line)
            return line
    from pydantic_core import PydanticSerializationError, to_json

    try:
        return to_json(value, inf_nan_mode="null", fallback=_plain)
    except PydanticSerializationError:
        # A lone surrogate is legal in a JSON escape but not in UTF-8.
        return json.dumps(_ascii_safe(value), separators=(",", ":")).encode()


def parse(data: bytes | str) -> Any:
    """Plain values from JSON. Raises ValueError."""
    if "pydantic_core" not in sys.modules and len(data) < _by_json.left:
        value = json.loads(data)
        _by_json.left -= len(data)
        return value
    from pydantic_core import from_json

    try:
        return from_json(data, allow_inf_nan=False)
    except ValueError:
        return json.loads(data)


def decode(kind: type[T], value: object) -> T:
    """A dataclass from what `parse` gave; unknown keys are passed over. Raises ValueError."""
    decoded: T = decoder_of(cast(Hashable, kind))(value)
    return decoded


def encode_event(event: Event) -> bytes:
    """One line without its end: `{"event":"CaseFinished", …}`."""
    match event:
        # The three that come several times a case; plain values are encoded five times as fast.
        case CaseStarted(run_id, agent, key, trial):
            values: object = {"run_id": run_id, "agent": agent, "key": [*key], "trial": trial}
        case TurnFinished(run_id, agent, key, turn, text):
            values = {"run_id": run_id, "agent": agent, "key": [*key], "turn": turn, "text": text}
        case ToolCalled(run_id, agent, key, call):
            values = {"run_id": run_id, "agent": agent, "key": [*key], "call": call}
        case _:
            values = event
    return named(type(event).__name__, encode(values))


def named(name: str, body: bytes) -> bytes:
    """Put the event's name in front of the encoded event's own fields."""
    comma = b"" if body == b"{}" else b","
    return b'{"event":"' + name.encode() + b'"' + comma + body[1:]


def decode_event(line: bytes | str) -> Event:
    """The event of one line. Raises ValueError for anything that is none."""
    return event_of(parse(line))


def event_of(value: object) -> Event:
    """The event in an already parsed line. Raises ValueError."""
    if not isinstance(value, dict):
        raise ValueError(f"an event is an object, not {type(value).__name__}")
    kind = EVENTS.get(str(value.get("event")))
    if kind is None:
        raise ValueError(f"unknown event `{value.get('event')}`")
    return decode(kind, value)


def _members(value: Any) -> Any:
    names = getattr(type(value), "__match_args__", ())  # of a dataclass: its fields
    if names:
        return {name: getattr(value, name) for name in names}
    if isinstance(value, Set):
        return list(value)
    return _plain(value)


class _Budget:
    """What the standard library may still encode and parse, in bytes.

    It takes longer; importing pydantic_core takes as long as it saves on so many.
    """

    left = 2_500_000


_by_json = _Budget()
_SMALL = json.JSONEncoder(
    default=_members, separators=(",", ":"), ensure_ascii=False, allow_nan=False
)


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else str(value)


def _ascii_safe(value: Any) -> Any:
    """Plain values that `json` writes as ASCII, numbers that JSON does not know as null."""
    if is_dataclass(value):
        names = value.__dataclass_fields__
        return {name: _ascii_safe(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {str(key): _ascii_safe(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_ascii_safe(item) for item in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)
