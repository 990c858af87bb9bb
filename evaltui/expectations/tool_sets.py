"""Sets of tool names as an expectation writes them."""

from collections import Counter
from collections.abc import Iterable

from evaltui.core.json_value import Json

NO_TOOLS = "__none__"
"""A set of only this means that no tool may be called (contract requirement 28)."""


def names_of(value: Json) -> tuple[str, ...] | None:
    """Tool names of a list; `None` when nothing is asserted. `["__none__"]` asks for no call."""
    if not isinstance(value, (list, tuple)):
        return None
    names = tuple(name for name in value if isinstance(name, str))
    return () if names == (NO_TOOLS,) else names


def closest_set(
    value: Json, called: Iterable[str], *, multiset: bool = True
) -> tuple[tuple[str, ...] | None, int]:
    """Of the sets in `toolsAcceptable` the one with the fewest missing and unexpected calls.

    Returns the set, the first of equals or `None` without any, and how many there were.
    Repeated calls count unless `multiset` is off (contract A2).
    """
    written = value if isinstance(value, (list, tuple)) else ()
    sets = [names for names in map(names_of, written) if names is not None]
    if not sets:
        return None, 0
    actual = Counter(called if multiset else set(called))

    def distance(names: tuple[str, ...]) -> int:
        wanted = Counter(names if multiset else set(names))
        return (wanted - actual).total() + (actual - wanted).total()

    return min(sets, key=distance), len(sets)
