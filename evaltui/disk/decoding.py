"""Decoders made from the fields of records.

A validation library would do, but importing it costs more than reading 5,000 results this way.
"""

from collections.abc import Callable, Hashable, Mapping
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeAlias, Union, cast, get_args, get_origin

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from evaltui.core.case import Case, Tier

Decoder: TypeAlias = Callable[[Any], Any]


@cache
def decoder_of(kind: Hashable) -> Decoder:
    """What turns a parsed JSON value into `kind`; ValueError when it cannot."""
    return _decoder(kind)


def _decoder(kind: Any) -> Decoder:
    if isinstance(kind, str) or kind is Any:
        return _as_it_is
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _optional(kind)
    if origin is tuple:
        return _row(decoder_of(get_args(kind)[0]))
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(decoder_of(get_args(kind)[1]))
    if kind is Case:
        return _case()
    if isinstance(kind, type) and issubclass(kind, Struct):
        return _record(kind)
    if issubclass(kind, tuple):
        return _named_tuple(kind)
    if issubclass(kind, Enum):
        return _enum(kind)
    return _scalar(kind)


def _as_it_is(value: Any) -> Any:
    return value


def _enum(kind: type[Enum]) -> Decoder:
    members = {member.value: member for member in kind}

    def decode(value: Any) -> Any:
        try:
            return members[value]
        except (KeyError, TypeError):
            raise ValueError(f"{value!r} is no {kind.__name__}") from None

    return decode


def _scalar(kind: type) -> Decoder:
    accepted = {float: (float, int), int: (int,), bool: (bool,), str: (str,)}[kind]

    def decode(value: Any) -> Any:
        if type(value) in accepted:
            return value
        if value is None and kind is float:
            return 0.0
        raise ValueError(f"expected {kind.__name__}, found {type(value).__name__}")

    return decode


def _optional(kind: Any) -> Decoder:
    members = [member for member in get_args(kind) if member is not NoneType]
    is_record = [isinstance(member, type) and issubclass(member, Struct) for member in members]
    if len(members) > 1 and all(is_record):
        return _tagged(members)
    if len(members) != 1:
        return _as_it_is
    inner = decoder_of(members[0])
    return lambda value: None if value is None else inner(value)


def _tagged(members: list[Any]) -> Decoder:
    by_tag = {kind.__struct_config__.tag: decoder_of(kind) for kind in members}

    def decode(value: Any) -> Any:
        tag = value.get("type") if isinstance(value, dict) else None
        if tag not in by_tag:
            raise ValueError(f"`type` is {tag!r}, not one of {', '.join(map(str, by_tag))}")
        return by_tag[tag](value)

    return decode


def _case() -> Decoder:
    """Cases were written flat once, body and key in one object."""
    inner = _record(Case)

    def decode(value: Any) -> Any:
        if isinstance(value, dict) and "body" not in value:
            is_rubric = value.get("tier") == Tier.RUBRIC
            body = value | {"type": "rubric" if is_rubric else "contract"}
            if "rubric" in body:
                body["dimensions"] = body["rubric"]
            value = value | {"body": body}
        return inner(value)

    return decode


def _row(inner: Decoder) -> Decoder:
    def decode(value: Any) -> Any:
        if not isinstance(value, list):
            raise ValueError(f"expected a list, found {type(value).__name__}")
        return tuple(map(inner, value)) if value else ()

    return decode


def _mapping(inner: Decoder) -> Decoder:
    def decode(value: Any) -> Any:
        if not isinstance(value, dict):
            raise ValueError(f"expected an object, found {type(value).__name__}")
        return value if inner is _as_it_is else {key: inner(item) for key, item in value.items()}

    return decode


def _named_tuple(kind: Any) -> Decoder:
    def decode(value: Any) -> Any:
        if not (isinstance(value, list) and all(type(item) is str for item in value)):
            raise ValueError(f"expected a {kind.__name__}, found {type(value).__name__}")
        try:
            return kind(*value)
        except TypeError as error:
            raise ValueError(str(error)) from None

    return decode


def _record(kind: Any) -> Decoder:
    parts = {field.name: decoder_of(cast(Hashable, field.type)) for field in fields(kind)}
    required = [
        field.name
        for field in fields(kind)
        if field.default is NODEFAULT and field.default_factory is NODEFAULT
    ]

    def decode(value: Any) -> Any:
        if not isinstance(value, dict):
            raise ValueError(f"expected a {kind.__name__}, found {type(value).__name__}")
        known = {}
        for name, item in value.items():
            part = parts.get(name)
            if part is not None:
                try:
                    known[name] = part(item)
                except ValueError as error:
                    raise ValueError(f"{name}: {error}") from None
        for name in required:
            if name not in known:
                raise ValueError(f"{kind.__name__} without `{name}`")
        return kind(**known)

    return decode
