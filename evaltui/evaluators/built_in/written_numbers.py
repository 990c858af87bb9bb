"""What a number in a text is: the same in what is answered, what tools say and what users say."""

import re
from collections.abc import Iterator
from math import inf, isfinite
from typing import Final

from msgspec import Struct


class WrittenNumber(Struct, frozen=True):
    """One number as it stands in a text."""

    text: str
    readings: tuple[tuple[float, float], ...]
    """What it may mean, each with the step it is rounded to: 1.5k is 1.5 of a unit, or 1500.

    18.5 may stand for 18.46; the step of whole numbers is 0, they are taken as they are.
    """


def written_numbers(text: str) -> Iterator[WrittenNumber]:
    """All with their units and currencies directly behind or before, as `99kg` and `USD99`.

    None: part of a name (`A4`, `4x4`, `3f2a`), of a version or address (`1.2.3`), an ordinal
    (`3rd`), the number of an item of a list that begins with 1.
    """
    plain = _TIME.sub(" ", _without_item_numbers(text))
    for match in _NUMBER.finditer(plain):
        digits = re.sub("[,_]", "", match["number"]).replace("−", "-")
        if len(digits) > _MOST_DIGITS:
            continue
        mantissa, _, power = digits.lower().partition("e")
        decimals = len(mantissa.partition(".")[2])
        value = float(digits)
        step = float(f"1e{int(power or 0) - decimals}") if decimals else 0.0
        if not isfinite(value * _LARGEST):  # nothing is near to what no float can hold
            yield WrittenNumber(match[0], ((inf, 0.0),))
            continue
        scale = _SCALES.get(match["unit"])
        scaled = () if scale is None else ((value * scale, step * scale),)
        yield WrittenNumber(match[0], ((value, step), *scaled))


def _without_item_numbers(text: str) -> str:
    seen = {0}

    def left(match: re.Match[str]) -> str:
        number = int(match[1])
        if number - 1 not in seen:
            return match[0]
        seen.add(number)
        return ""

    return _ITEM.sub(left, text)


_MOST_DIGITS: Final = 300
_SCALES: Final = {"k": 1e3, "K": 1e3, "M": 1e6, "bn": 1e9}
_LARGEST: Final = max(_SCALES.values())
_ITEM = re.compile(r"^[ \t]*(?:[>*#-]+[ \t]*)?(\d{1,3})[.)](?=[ \t]+\S)", re.MULTILINE)
_TIME = re.compile(r"(?<=\d)T(?=\d\d:?\d\d)")
"""Between the date and the time of ISO 8601."""
_NUMBER = re.compile(
    r"(?<![\w.])(?:[A-Z]{3})?"
    r"(?P<number>[-−]?(?:\d{1,3}(?:[,_]\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d{1,4}(?![^\W\d_]))?)"
    r"(?!\.\d)(?!(?:st|nd|rd|th)\b)(?P<unit>[^\W\d_]*+)(?![\d_])"
)
