"""Whether two numbers are as near as somebody allows, whatever doubles lose of them."""

from fractions import Fraction
from math import inf
from typing import Final

_ROOM: Final = Fraction(1, 10**9)
_ROUNDING: Final = Fraction(1, 2**50)
"""Of a number's size: some steps of what a double can tell apart."""


def is_near(value: float, wanted: float, tolerance: float | Fraction) -> bool:
    """Exact among integers; else with room for what doubles cannot tell apart.

    `wanted` and `tolerance` are finite, and the latter is no less than 0.
    """
    if not abs(value) < inf:
        return False
    exact, near, allowed = Fraction(value), Fraction(wanted), Fraction(tolerance)
    room = Fraction(0)
    if not (exact.denominator == near.denominator == 1):
        room = max(_ROOM, _ROUNDING * max(abs(exact), abs(near)))
    if allowed.denominator != 1:
        room = max(room, _ROUNDING * allowed)
    return abs(exact - near) <= allowed + room
