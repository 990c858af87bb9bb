"""JSON text from elsewhere, parsed so that every number is finite: what is written later can hold
no others."""

import json
import re
from collections.abc import Callable, Sequence
from json import JSONDecodeError
from math import isinf
from typing import Any

import msgspec

from evaltui.core.nesting import MOST_DEEP, TOO_DEEP, is_too_deep


class NoNumber(JSONDecodeError):
    """In JSON that is right otherwise."""


_CONSTANTS = ("NaN", "Infinity", "-Infinity")
_MAY_BE_TOO_LARGE = re.compile(r"[0-9](?:[eE]\+?[0-9]{3}|[0-9]{200})")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?Infinity|NaN|-?[0-9][0-9.eE+-]*', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_SHOWN = 20


def decode_json(
    text: str | bytes, object_pairs_hook: Callable[[Sequence[tuple[str, Any]]], Any] | None = None
) -> Any:
    """As `json.loads`, but a number that is none, or is too large, is refused with its place.

    Raises NoNumber, JSONDecodeError, other ValueErrors where bytes are no text or a number has
    thousands of digits, and RecursionError.
    """
    if object_pairs_hook is None:
        # In a tenth of the time: what it accepts it reads alike, of the rest it tells too little.
        try:
            return msgspec.json.decode(text)
        except (msgspec.DecodeError, UnicodeError):
            pass
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text), "surrogatepass")
    constants: list[str] = []
    value = json.loads(text, object_pairs_hook=object_pairs_hook, parse_constant=constants.append)
    if wrong := _first_wrong(text) if constants else infinite_number(text):
        raise wrong
    return value


def decode_external(text: str | bytes) -> Any:
    """What another program says: as `decode_json`; halves of surrogate pairs, which cannot be
    written as UTF-8, become U+FFFD; what is nested too deep to be written is refused as what is too
    deep to be read."""
    value = decode_json(text)
    # Counted first, which is much quicker and seldom says that it may be.
    if isinstance(text, str):
        opened = text.count("[") + text.count("{")
    else:
        opened = text.count(b"[") + text.count(b"{")
    if opened > MOST_DEEP and is_too_deep(value):
        raise RecursionError(f"it is {TOO_DEEP}")
    has_escapes = "\\u" in text if isinstance(text, str) else b"\\u" in text
    return without_surrogates(value) if has_escapes else value


def without_surrogates(value: Any) -> Any:
    """A value of JSON with U+FFFD in place of halves of surrogate pairs."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {
            _SURROGATE.sub("\ufffd", key): without_surrogates(item) for key, item in value.items()
        }
    if isinstance(value, list):
        return [without_surrogates(item) for item in value]
    return value


def infinite_number(text: str) -> NoNumber | None:
    """What is wrong with the first number of a JSON text that is beyond the range of a double."""
    return _first_wrong(text) if _MAY_BE_TOO_LARGE.search(text) else None


def _first_wrong(text: str) -> NoNumber | None:
    for token in _TOKEN.finditer(text):
        digits = token[0]
        if digits in _CONSTANTS:
            what = f"`{digits}` is not a number in JSON; write null or a text"
            return NoNumber(what, text, token.start())
        is_whole = digits.startswith('"') or digits.lstrip("-").isdecimal()
        if not is_whole and isinf(float(digits)):
            shown = digits if len(digits) <= _SHOWN else f"{digits[:_SHOWN]}…"
            what = f"`{shown}` is too large a number; write it as text"
            return NoNumber(what, text, token.start())
    return None
