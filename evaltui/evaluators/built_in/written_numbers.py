"""How numbers in texts are read: the same for answers, tools and users."""

import re
from collections.abc import Iterator
from decimal import MAX_EMAX, MIN_EMIN, ROUND_UP, Context, Decimal, InvalidOperation
from typing import Final

from msgspec import Struct

EXACT: Final = Context(prec=1000, rounding=ROUND_UP, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
"""For sums and products: floats take long numbers of orders for one another. A difference too long
for it is rounded away from zero, so that it never vanishes."""


class WrittenNumber(Struct, frozen=True):
    """One number as it stands in a text."""

    text: str
    readings: tuple[tuple[Decimal, Decimal], ...]
    """What it may mean, each with the worth of its last digit: 1.5k is 1.5 of a unit, or 1500.

    What is known may be off by half of that, which rounding explains: 18.5 may stand for 18.46,
    18 for 18.4.
    """


def exact_number(digits: str) -> Decimal | None:
    """A number as it is written; `None` for one with an exponent of twenty digits."""
    try:
        return Decimal(digits)
    except InvalidOperation:
        return None


def written_numbers(text: str) -> Iterator[WrittenNumber]:
    """All with their units and currencies directly behind or before, as `99kg` and `USD99`.

    None: part of a name (`A4`, `4x4`, `3f2a`), of a version or address (`1.2.3`), an ordinal
    (`3rd`), the number of an item of a list that begins with 1.
    """
    plain = _TIME.sub(" ", _without_item_numbers(text))
    for match in _NUMBER.finditer(plain):
        value = exact_number(re.sub("[,_]", "", match["number"]).replace("−", "-"))
        if value is None:
            continue
        step = Decimal((0, (1,), int(value.as_tuple().exponent)))
        scale = _SCALES.get(match["unit"])
        scaled = () if scale is None else ((value.scaleb(scale, EXACT), step.scaleb(scale, EXACT)),)
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


_SCALES: Final = {"k": 3, "K": 3, "M": 6, "bn": 9}
"""Powers of ten."""
_ITEM = re.compile(r"^[ \t]*(?:[>*#-]+[ \t]*)?(\d{1,3})[.)](?=[ \t]+\S)", re.MULTILINE)
_TIME = re.compile(r"(?<=\d)T(?=\d\d:?\d\d)")
"""Between the date and the time of ISO 8601."""
_NUMBER = re.compile(
    r"(?<![\w.])(?:[A-Z]{3})?"
    r"(?P<number>[-−]?(?:\d{1,3}(?:[,_]\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d{1,4}(?![^\W\d_]))?)"
    r"(?!\.\d)(?!(?:st|nd|rd|th)\b)(?P<unit>[^\W\d_]*+)(?![\d_])"
)
