"""The few rules of JavaScript that the contract's pseudo-code relies on."""

import json
import re
from collections.abc import Iterable, Mapping
from math import isfinite, isnan

from evaltui.core.json_value import Json

WHITE_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What `trim()` removes: ECMAScript's WhiteSpace and LineTerminator."""


def to_string(value: Json) -> str:
    """`String(value)` of a JSON value (contract A21); whole numbers keep all digits (A22)."""
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return _integer(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, Mapping):
        return "[object Object]"
    return ",".join("" if item is None else to_string(item) for item in value)


def json_stringify(value: Json) -> str:
    """`JSON.stringify(value)`: no spaces, no escapes for letters, index-like keys first (A23)."""
    if isinstance(value, str):
        return _quoted(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return _integer(value)
    if isinstance(value, float):
        return _number(value) if isfinite(value) else "null"
    if isinstance(value, Mapping):
        members = (f"{_quoted(key)}:{json_stringify(value[key])}" for key in _key_order(value))
        return "{" + ",".join(members) + "}"
    return "[" + ",".join(json_stringify(item) for item in value) + "]"


def trim(text: str) -> str:
    """`text.trim()`; differs from `str.strip` in both directions (contract A37)."""
    return text.strip(WHITE_SPACE)


def _integer(value: int) -> str:
    try:
        return str(value)
    except ValueError:  # Python refuses to print thousands of digits; JavaScript calls it infinite.
        return "Infinity" if value > 0 else "-Infinity"


def _number(value: float) -> str:
    """ECMA-262 Number::toString: Python's shortest digits, laid out with JavaScript's limits."""
    if isnan(value):
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    point = len(whole) + int(exponent or "0")
    digits = whole + fraction
    leading_zeros = len(digits) - len(digits.lstrip("0"))
    digits = digits.strip("0")
    point -= leading_zeros
    if len(digits) <= point <= 21:
        return sign + digits.ljust(point, "0")
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    tail = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{tail}e{point - 1:+d}"


def _quoted(text: str) -> str:
    if not text.isascii() and _SURROGATE.search(text):
        joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        return _SURROGATE.sub(_escaped, _quote(joined))
    return _quote(text)


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def _key_order(value: Mapping[str, Json]) -> Iterable[str]:
    indices = [key for key in value if _is_array_index(key)]
    if not indices:
        return value
    return sorted(indices, key=int) + [key for key in value if not _is_array_index(key)]


def _is_array_index(key: str) -> bool:
    return bool(_ARRAY_INDEX.fullmatch(key)) and int(key) < 2**32 - 1


_ARRAY_INDEX = re.compile(r"0|[1-9]\d{0,9}", re.ASCII)
_quote = json.JSONEncoder(ensure_ascii=False).encode  # `json.dumps` makes an encoder a call
_SURROGATE = re.compile("[\ud800-\udfff]")
