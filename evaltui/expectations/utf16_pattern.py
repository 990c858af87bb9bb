"""Patterns and texts as UTF-16 units, for an engine that knows whole characters only.

JavaScript without flags sees an emoji as two units, each a character of its own (contract B9). Here
each half of a surrogate pair stands as one character far above those that a unit can be, so that
the engine sees what JavaScript sees. All else of a pattern stays as it is written, but for
repetitions in repetitions (`inner_loops.py`).
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from evaltui.expectations.inner_loops import tamed

_FIRST, _LAST = 0xD800, 0xDFFF
"""The units that are halves of a pair."""
_HALVES = 0x100000
"""Added to a half; nothing else of a text is up there, as every other such letter is a pair."""
# Compiled when they are first needed: few patterns and texts need them.
_BEYOND = "[\ud800-\udfff\U00010000-\U0010ffff]"
_QUANTIFIER = r"(?:[*+?]|\{\d+(?:,\d*)?\})"
_PART = (
    rf"(?P<edge>\\[bB])(?={_QUANTIFIER})"
    r"|\\u(?P<unit>[0-9a-fA-F]{4})"
    r"|\\(?P<letter>u)"
    r"|(?P<backslash>\\)(?=c(?![A-Za-z]))"
    r"|(?P<name>\(\?<[\w$]+>|\\k<[\w$]+>)"
    r"|\[(?P<class>\^?(?:\\.|[^\]\\])*)\]"
    r"|\\?(?P<beyond>[\ud800-\udfff\U00010000-\U0010ffff])"
    r"|\\."
)
_MEMBER = (
    r"\\u(?P<unit>[0-9a-fA-F]{4})|\\(?P<letter>u)|\\?(?P<beyond>[\ud800-\udfff\ue000-\U0010ffff])"
    r"|\\c[A-Za-z0-9_]|\\x[0-9a-fA-F]{2}|\\[0-3]?[0-7]{1,2}|\\[^c]|(?P<backslash>\\)|."
)
_HIGH = r"\\u(?:\{|[d-fD-F])|[\ud800-\uffff\U00010000-\U0010ffff]"
_TOLD_APART = (r"\b", r"\B", r"\c", r"\u")
"""Without one of these, a pattern of ASCII only is the same for the engine."""
_SETS = tuple(rf"\{letter}" for letter in "dDwWsS")


def utf16_text(text: str) -> str:
    """The text, each half of a pair a character of its own."""
    return text if text.isascii() else re.sub(_BEYOND, lambda found: _halves(found[0]), text)


@lru_cache(512)
def utf16_pattern(pattern: str) -> str:
    """A pattern that finds in `utf16_text(t)` what `new RegExp(pattern)` finds in `t`.

    What JavaScript refuses stays something that the engine refuses.
    """
    if not pattern.isascii() or any(edge in pattern for edge in _TOLD_APART):
        pattern = re.sub(_PART, _translated, pattern, flags=re.DOTALL)
    return tamed(pattern)


def _translated(found: re.Match[str]) -> str:
    kind, text = found.lastgroup, found[0]
    match kind:
        case "edge":  # The engine repeats a word's edge, which JavaScript does not.
            return f"{text}^"
        case "letter":
            return "u"
        case "backslash":  # Before a `c` that names no control character, it is one itself.
            return r"\\"
        case "unit" | "beyond":
            unit = _unit(found)
            return text if unit is None else utf16_text(unit)
        case "class" if re.search(_HIGH, text):
            return _class(found["class"])
    return text


def _unit(found: re.Match[str]) -> str | None:
    """What a letter or `\\uXXXX` from the first half on stands for."""
    unit = chr(int(found["unit"], 16)) if found["unit"] else found["beyond"]
    return unit if unit and ord(unit) >= _FIRST else None


def _class(content: str) -> str:
    start, content = ("[^", content[1:]) if content.startswith("^") else ("[", content)
    members = list(_members(content))
    parts: list[str] = []
    while members:
        if len(members) >= 3 and members[1][0] == "-":
            (low, low_unit), _, (high, high_unit) = members[:3]
            if high_unit is None or low in _SETS:
                parts.append(f"{low}-{high}")
            else:
                parts.append(_range(low, low_unit, high, high_unit))
            del members[:3]
        else:
            parts.append(members.pop(0)[0])
    return f"{start}{''.join(parts)}]"


def _members(content: str) -> Iterator[tuple[str, int | None]]:
    """Each member as it is to be written, and its unit where that is a half or above."""
    for found in re.finditer(_MEMBER, content, re.DOTALL):
        unit = _unit(found)
        if found["letter"]:
            yield "u", None
        elif found["backslash"]:
            yield r"\\", None
        elif unit is None:
            yield found[0], None
        else:
            for half in utf16_text(unit):
                yield half, ord(half) - _HALVES if ord(half) >= _HALVES else ord(half)


def _range(low: str, low_unit: int | None, high: str, high_unit: int) -> str:
    """From `low` to `high`, the halves in between where they stand now."""
    first = 0 if low_unit is None else low_unit
    if first > high_unit:
        return "b-a"  # No range for JavaScript either, whatever these have become.
    if first > _LAST:
        return f"{low}-{high}"
    below = f"{low}-\ud7ff" if first < _FIRST else ""
    above = f"\ue000-{high}" if high_unit > _LAST else ""
    halves = (chr(_HALVES + unit) for unit in (max(first, _FIRST), min(high_unit, _LAST)))
    return f"{below}{'-'.join(halves)}{above}"


def _halves(character: str) -> str:
    """One or two halves, each far above every unit."""
    units = character.encode("utf-16-le", "surrogatepass")
    both = (units[start] | units[start + 1] << 8 for start in range(0, len(units), 2))
    return "".join(chr(_HALVES + unit) for unit in both)
