"""What is wrong in a suite of traces: the place, and a sentence about it."""

import re
from collections.abc import Iterator, Mapping
from json import JSONDecodeError
from types import UnionType
from typing import Any, Union, get_args, get_origin

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from evaltui.core.errors import UserError
from evaltui.core.key_path import KeyPath, format_key
from evaltui.disk.codec import convert

_WORDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "int | float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_UNIONS = (Union, UnionType)
_MISSING = re.compile(r"Object missing required field `([^`]*)`")
_MESSAGE = re.compile(r"Expected `([^`]*)`, got `([^`]*)`")
_PLACE = re.compile(r"(.*?)(?: - at `\$\.?([^`]*)`)?", re.DOTALL)


class SuiteMistake(UserError):
    """A suite that cannot be used, and where: `key` is empty when it is the whole of it."""

    def __init__(self, file: str, key: str, what: str, hint: str, case_id: str = "") -> None:
        place = ": ".join(part for part in (file, f"`{key}`" if key else "") if part)
        super().__init__(f"{place}: {what}." if place else f"{what}.", hint)
        self.file = file
        self.key = key
        self.said = what
        self.case_id = case_id


class JsonMistake(SuiteMistake):
    """A file that is no JSON; line and column are 1-based, the position is 0-based."""

    def __init__(self, file: str, error: JSONDecodeError) -> None:
        place = f"{file}:{error.lineno}:{error.colno}" if file else f"line {error.lineno}"
        super().__init__(place, "", f"no JSON: {error.msg}", "Correct the file.")
        self.line, self.column, self.position = error.lineno, error.colno, error.pos


def refusal_of(
    error: msgspec.ValidationError, file: str, below: str = "", case_id: str = ""
) -> SuiteMistake:
    """The first mistake that msgspec found in what stands at the key `below`."""
    placed = _PLACE.fullmatch(str(error))
    said, key = placed.groups() if placed is not None else (str(error), None)
    dot = "." if below and key and not key.startswith("[") else ""
    place = f"{below}{dot}{key or ''}"
    if missing := _MISSING.fullmatch(said):
        return _missing(missing[1], file, place, case_id)
    if found := _MESSAGE.fullmatch(said):
        words = _in_words(found[1])
        what = f"expected {words}, found {_in_words(found[2])}"
        return SuiteMistake(file, place, what, f"Write {words}.", case_id)
    return SuiteMistake(file, place, said[:1].lower() + said[1:], "Correct it.", case_id)


def _missing(name: str, file: str, place: str, case_id: str) -> SuiteMistake:
    return SuiteMistake(file, place, f"`{name}` is missing", f"Write `{name}`.", case_id)


def refusals_of(
    value: Any, kind: Any, file: str, path: KeyPath, case_id: str = ""
) -> Iterator[SuiteMistake]:
    """All that msgspec would refuse in what stands at the path, each by its own key."""
    try:
        convert(value, kind)
    except msgspec.ValidationError as error:
        inner = [*_parts(value, kind)]
        found = (refusals_of(one, of, file, (*path, key), case_id) for key, one, of in inner)
        place = format_key(path)
        mistakes = [_missing(name, file, place, case_id) for name in _lacking(value, kind)]
        mistakes += (one for each in found for one in each)
        yield from mistakes or [refusal_of(error, file, place, case_id)]


def _lacking(value: Any, kind: Any) -> Iterator[str]:
    if isinstance(value, dict) and isinstance(kind, type) and issubclass(kind, Struct):
        needed = (one.encode_name for one in fields(kind) if one.required)
        yield from (name for name in needed if name not in value)


def _parts(value: Any, kind: Any) -> Iterator[tuple[str | int, Any, Any]]:
    """What a list or an object is made of: its keys, and the type that each must have."""
    for member in (kind, *(get_args(kind) if get_origin(kind) in _UNIONS else ())):
        origin, args = get_origin(member), get_args(member)
        if isinstance(value, list) and origin in (tuple, list):
            yield from ((index, one, args[0]) for index, one in enumerate(value))
        elif isinstance(value, dict) and isinstance(member, type) and issubclass(member, Struct):
            known = {one.encode_name: one.type for one in fields(member)}
            yield from ((key, one, known[key]) for key, one in value.items() if key in known)
        elif isinstance(value, dict) and isinstance(origin, type) and issubclass(origin, Mapping):
            yield from ((key, one, args[1]) for key, one in value.items())


def _in_words(type_: str) -> str:
    return _WORDS.get(type_.removesuffix(" | null"), type_)
