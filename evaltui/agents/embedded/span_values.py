"""The value that a typed span stands for: numbers, percentages, lists, calendar dates."""

import re
from contextlib import suppress
from typing import NamedTuple

from evaltui.agents.embedded.span_patterns import MONTHS, UNITS
from evaltui.core.finite_json import decode_json
from evaltui.core.json_value import Json

_SCALES = {
    "k": 1e3, "thousand": 1e3, "million": 1e6, "billion": 1e9, "bn": 1e9, "trillion": 1e12,
}  # fmt: skip
_NUMBER = re.compile(r"([-−]?)\D{0,2}?(\d[\d,]*\.?\d*(?:[eE][-+]?\d+)?|\.\d+)\s*(\D*)$")
_ISO = re.compile(r"(\d{4})[-./](\d{1,2})[-./](\d{1,2})")
_SLASHED = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{2,4})")
_MONTH = re.compile("|".join(MONTHS), re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_DAY = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?\b", re.IGNORECASE)


class Day(NamedTuple):
    """A calendar date; 0 for a part that the text leaves out."""

    year: int
    month: int
    day: int

    @property
    def is_whole(self) -> bool:
        return bool(self.year and self.month and self.day)


def number(text: str) -> tuple[int | float | None, str]:
    """`(value, unit)`; the unit is `%` or empty. `None` when it is no number."""
    found = _NUMBER.search(text)
    if not found:
        return _spelled(text), ""
    digits = found[2].replace(",", "")
    value = float(digits)
    unit = found[3].strip().lower()
    if unit in _SCALES:
        value *= _SCALES[unit]
    if found[1]:
        value = -value
    is_whole = value.is_integer() and "." not in digits and abs(value) < 1e15
    return int(value) if is_whole else value, "%" if unit in {"%", "percent"} else ""


def _spelled(text: str) -> int | None:
    total = 0
    for word in re.split(r"[-\s]+", text.lower()):
        if word in _SCALES:
            total = (total or 1) * int(_SCALES[word])
        elif word not in UNITS:
            return None
        elif UNITS[word] in (12, 100) and word in {"hundred", "dozen"}:
            total = (total or 1) * UNITS[word]
        else:
            total += UNITS[word]
    return total


def listed(text: str) -> Json:
    """The members of a bracketed list; unquoted words become texts."""
    with suppress(ValueError, RecursionError):
        if text.startswith("["):
            value: Json = decode_json(text.replace("'", '"'))
            return value
    inner = text[1:-1].strip()
    return [_member(part) for part in inner.split(",")] if inner else []


def _member(text: str) -> Json:
    text = text.strip().strip("'\"")
    if re.fullmatch(r"-?(?:\d+\.?\d*|\.\d+)", text):
        return number(text)[0]
    return text


def day(text: str) -> Day:
    """The calendar date in `text`; month before day where only digits are given."""
    if found := _ISO.search(text):
        return Day(int(found[1]), int(found[2]), int(found[3]))
    if found := _SLASHED.search(text):
        first, second, year = int(found[1]), int(found[2]), int(found[3])
        month, of_month = (second, first) if first > 12 else (first, second)
        return Day(year + 2000 if year < 100 else year, month, of_month)
    month_name = _MONTH.search(text)
    year_text = _YEAR.search(text)
    rest = _YEAR.sub(" ", text)
    of_month_text = _DAY.search(rest)
    return Day(
        int(year_text[0]) if year_text else 0,
        MONTHS.index(month_name[0].lower()) + 1 if month_name else 0,
        int(of_month_text[1]) if of_month_text else 0,
    )
