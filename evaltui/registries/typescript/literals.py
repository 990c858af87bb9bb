"""Text and numbers as JavaScript writes them."""

import re
from math import isfinite

_ESCAPE = re.compile(r"\\(?:u\{([0-9A-Fa-f]+)\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|(\r\n|[\s\S]))")
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}


def unescape(raw: str) -> str:
    """The text of a string or template literal's inside."""
    if "\\" not in raw:
        return raw
    text = _ESCAPE.sub(_character, raw)
    # Two \u halves of an emoji make one character.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def template_text(raw: str) -> str:
    """As `unescape`; line ends in a template are always LF, however the file is saved."""
    return unescape(raw.replace("\r\n", "\n").replace("\r", "\n"))


def number(raw: str) -> int | float | None:
    """The value of a number literal, `None` for what is none."""
    digits = raw.replace("_", "").lower()
    try:
        if digits[:2] in ("0x", "0o", "0b"):
            return as_number(int(digits.removesuffix("n"), 0))
        return as_number(int(digits[:-1]) if digits.endswith("n") else float(digits))
    except ValueError:
        return None


def as_number(value: int | float) -> int | float | None:
    """As JavaScript has it: no longer exact above 2**53; `None` where it is infinite."""
    try:
        value = float(value) if abs(value) >= 2**53 else value
    except OverflowError:
        return None
    if isinstance(value, int):
        return value
    if not isfinite(value):
        return None
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _character(match: re.Match[str]) -> str:
    long, short, byte, plain = match.groups()
    code = long or short or byte
    if code is not None:
        return chr(point) if (point := int(code, 16)) <= 0x10FFFF else match.group()
    if plain in ("\n", "\r\n", "\r", "\u2028", "\u2029"):
        return ""
    return _SIMPLE.get(plain, plain)
