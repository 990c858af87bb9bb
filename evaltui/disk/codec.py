"""Events, results and plain values as JSON, both ways: msgspec reads only what we wrote.

Text is made whole where it comes in: half a surrogate pair, which UTF-8 cannot hold, is U+FFFD.
Numbers that JSON does not know are null.
"""

import math
from collections.abc import Hashable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from threading import Lock
from typing import Any, TypeVar, cast, get_args, get_origin

import msgspec
from msgspec import DecodeError, Raw, Struct, ValidationError, to_builtins
from msgspec.json import Decoder, Encoder
from msgspec.structs import fields

from evaltui.core.events import Event

T = TypeVar("T")
EMPTY = b"{}"


class WrittenText:
    """What stands for a JSON text of ours that is written again as it is."""

    def __init__(self, text: bytes) -> None:
        self.text = text


def encode(value: object) -> bytes:
    """Compact JSON of records, mappings and plain values."""
    try:
        return _ENCODER.encode(value)
    except UnicodeEncodeError:
        return _ENCODER.encode(whole(to_builtins(value, enc_hook=_plain, str_keys=True)))


def parse(data: bytes | str) -> Any:
    """Plain values from JSON. Raises ValueError, and RecursionError beyond its depth."""
    try:
        return _decoder_of(Any).decode(data)
    except (DecodeError, UnicodeError):
        import json  # rare: what is not of ours

        return whole(json.loads(data))


def decode(kind: type[T], data: bytes | str) -> T:
    """A record of ours; unknown keys are passed over. Raises ValueError, RecursionError."""
    try:
        return cast(T, _decoder_of(cast(Hashable, kind)).decode(data))
    except ValidationError:
        raise
    except (DecodeError, UnicodeError):
        return cast(T, _convert(parse(data), kind))


def decode_exactly(kind: type[T], data: bytes | str) -> T:
    """For what others wrote in a form of theirs. Raises msgspec's errors, and RecursionError."""
    return cast(T, _decoder_of(cast(Hashable, kind)).decode(data))


def read(kind: type[T], data: bytes | str) -> T:
    """As `decode`, but a wrong value costs only itself, not the record that it is in."""
    try:
        return decode(kind, data)
    except ValidationError:
        return cast(T, leniently(kind, parse(data)))


def leniently(kind: Any, value: Any) -> Any:
    """`value` as `kind`: a field of a wrong type keeps its default, an entry falls out of its row.

    For what an older or a foreign program wrote. Raises ValidationError when nothing is left.
    """
    try:
        return _convert(value, kind)
    except ValidationError:
        # Those of a union; what a row holds is no stand-in for the row.
        for member in (kind, *(get_args(kind) if get_origin(kind) is not tuple else ())):
            if isinstance(value, list) and get_origin(member) is tuple:
                return tuple(_each(get_args(member)[0], value))
            if isinstance(value, dict) and isinstance(member, type) and issubclass(member, Struct):
                return _field_by_field(member, value)
        raise


def encode_event(event: Event) -> bytes:
    """One line without its end: `{"event":"CaseFinished", …}`."""
    return encode(event)


def decode_event(line: bytes | str) -> Event:
    """The event of one line as `encode_event` writes it. Raises ValueError."""
    event: Event = decode(cast(Any, Event), line)
    return event


def convert(value: Any, kind: type[T], *, from_attributes: bool = False) -> T:
    """As `msgspec.convert`, from any thread. Raises ValidationError."""
    _decoder_of(cast(Hashable, kind))
    return msgspec.convert(value, kind, from_attributes=from_attributes)


def whole(value: Any) -> Any:
    """Plain values with whole texts and finite numbers."""
    match value:
        case str():
            return _whole_text(value)
        case float():
            return value if math.isfinite(value) else None
        case Mapping():
            return {_whole_text(str(key)): whole(item) for key, item in value.items()}
        case list() | tuple():
            return [whole(item) for item in value]
        case _:
            return value


def _whole_text(text: str) -> str:
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _convert(value: Any, kind: Any) -> Any:
    """As `msgspec.convert`, which makes no text of a part that is kept as text."""
    return _decoder_of(kind).decode(_ENCODER.encode(value))


def _as_written(value: Any) -> Any:
    return Raw(value.text) if isinstance(value, WrittenText) else _plain(value)


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else str(value)


def _field_by_field(record: type[Struct], value: dict[str, Any]) -> Any:
    known: dict[str, Any] = {}
    for field in fields(record):
        if field.encode_name in value:
            with suppress(ValidationError):
                known[field.name] = leniently(field.type, value[field.encode_name])
    try:
        return record(**known)
    except TypeError as error:
        raise ValidationError(str(error)) from None


def _each(kind: Any, values: list[Any]) -> Iterator[Any]:
    for value in values:
        with suppress(ValidationError):
            yield leniently(kind, value)


@cache
def _decoder_of(kind: Hashable) -> "Decoder[Any]":
    with _DESCRIBING:
        return Decoder(cast(Any, kind))


_DESCRIBING = Lock()
"""What msgspec knows of a record it finds out with its first decoder, and another thread that meets
half of that ends the process: nothing else in the package makes one, nor converts before it."""

_ENCODER = Encoder(enc_hook=_as_written)
