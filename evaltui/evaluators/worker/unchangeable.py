"""Immutable JSON values, since several evaluators look at the same ones.

Loaded by its path with any Python from 3.9 on.
"""

from __future__ import annotations

import copy
from typing import Any, NoReturn

_WHAT = "what an evaluator sees cannot be changed; change a copy: copy.deepcopy(...)"


def _refuse(*_: Any, **__: Any) -> NoReturn:
    raise TypeError(_WHAT)


class Unchangeable(dict):  # type: ignore[type-arg]
    """Still a dict to whoever reads it, and to `json.dumps`."""

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[Any, Any]:
        return {key: copy.deepcopy(value, memo) for key, value in self.items()}

    def __reduce__(self) -> Any:
        return dict, (list(self.items()),)


class UnchangeableList(list):  # type: ignore[type-arg]
    """Still a list to whoever reads it."""

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse

    def __deepcopy__(self, memo: dict[int, Any]) -> list[Any]:
        return [copy.deepcopy(value, memo) for value in self]

    def __reduce__(self) -> Any:
        return list, (list(self),)


def unchangeable(value: Any) -> Any:
    """The same value of JSON, all the way down."""
    if isinstance(value, dict):
        return Unchangeable({key: unchangeable(item) for key, item in value.items()})
    if isinstance(value, list):
        return UnchangeableList([unchangeable(item) for item in value])
    if isinstance(value, tuple):
        return tuple([unchangeable(item) for item in value])
    return value
