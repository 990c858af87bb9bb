"""Numbers that other programs report: what is no number, or no amount, is not known."""

from math import isfinite

NOISE = 1e-9
"""Sums, rates and what they differ by are off by so much, though not by more."""
_MOST_DIGITS = 12
"""After the point: what differs in none of them is told as it is."""
LONGEST_MS = 1e12
"""Some 30 years: what claims to have taken longer tells no time."""
MOST_TOKENS = 1e12
"""More than any answer takes: what claims so many tells none."""


def finite(value: object) -> float | None:
    """As a double; `None` for what is no number, and for a whole one that no double holds."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if isfinite(found) else None


def as_number(value: object) -> object:
    """The number that a text is, which some programs write for one; anything else as it is."""
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return value
    return value


def amount(value: object) -> float | None:
    """Of time, tokens or money: a number that is not negative."""
    found = finite(value)
    return found if found is not None and found >= 0 else None


def usd(value: object) -> float | None:
    """What something did cost, also as text."""
    return amount(as_number(value))


def tokens(value: object) -> int | None:
    """As many as an answer can have taken, also as text."""
    found = amount(as_number(value))
    return int(found) if found is not None and found < MOST_TOKENS else None


def milliseconds(value: object) -> float | None:
    """A time that something can have taken."""
    found = amount(value)
    return found if found is not None and found < LONGEST_MS else None


def told_apart(one: float, other: float, digits: int) -> tuple[str, str]:
    """Both with so many digits after the point, or with more where they would read the same."""
    for count in range(digits, _MOST_DIGITS):
        if (first := f"{one:.{count}f}") != (second := f"{other:.{count}f}"):
            return first, second
    return str(one), str(other)
