"""Events and results as JSON, both ways."""

import json
from collections.abc import Hashable, Mapping
from typing import Any, TypeVar, cast, get_args

from msgspec import DecodeError, Struct
from msgspec.json import Decoder, Encoder

from evaltui.core.events import CaseStarted, Event, ToolCalled, TurnFinished
from evaltui.disk.decoding import decoder_of

T = TypeVar("T")

EVENTS: Mapping[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}


def encode(value: object) -> bytes:
    """Compact JSON of records, mappings and plain values; NaN and infinities become null."""
    try:
        return _ENCODER.encode(value)
    except (UnicodeEncodeError, TypeError):
        # A lone surrogate is legal in a JSON escape but not in UTF-8.
        return json.dumps(_ascii_safe(value), separators=(",", ":")).encode()


def parse(data: bytes | str) -> Any:
    """Plain values from JSON. Raises ValueError."""
    try:
        return _DECODER.decode(data)
    except (DecodeError, UnicodeError):
        return json.loads(data)


def decode(kind: type[T], value: object) -> T:
    """A record from what `parse` gave; unknown keys are passed over. Raises ValueError."""
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


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else str(value)


_ENCODER = Encoder(enc_hook=_plain)
_DECODER = Decoder()


def _ascii_safe(value: Any) -> Any:
    """Plain values that `json` writes as ASCII, numbers that JSON does not know as null."""
    if isinstance(value, Struct):
        names = value.__struct_fields__
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
