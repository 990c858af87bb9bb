"""How deep values of JSON from elsewhere may be nested: what is kept of them is written inside of
other values, by several writers, and each has a depth where it gives up."""

from collections.abc import Mapping
from typing import Any

MOST_DEEP = 200
TOO_DEEP = f"nested more than {MOST_DEEP} deep"


def is_too_deep(value: Any) -> bool:
    """Of lists and objects in one another; takes no stack itself."""
    level = [value] if isinstance(value, _NESTING) else []
    for _ in range(MOST_DEEP):
        level = [item for one in level for item in _items(one) if isinstance(item, _NESTING)]
        if not level:
            return False
    return True


_NESTING = (Mapping, list, tuple)


def _items(value: Any) -> Any:
    return value.values() if isinstance(value, Mapping) else value
