"""Comparing the parameters of two calls, nested values by path."""

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final, TypeGuard

from msgspec import Struct

from evaltui.core.json_value import Json

MAX_DEPTH = 40
"""Deeper values are compared whole."""


class Absent:
    """Stands for a value that was not sent, which `None` cannot: null can be sent."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent()


class ParamState(StrEnum):
    SAME = "same"
    CHANGED = "changed"
    MISSING = "missing"
    """Expected and not sent."""
    EXTRA = "extra"
    """Sent and not expected."""
    SENT = "sent"
    """Nothing is said about it."""
    UNCHECKED = "not checked"
    """Asserted, but there was nothing to judge or nothing to judge it by."""


class ParamDiff(Struct, frozen=True, gc=False):
    """One parameter; `expected` and `actual` are ABSENT on the side that has none."""

    path: str
    """`city`, `filters.date`, `ids[0]`."""
    state: ParamState
    expected: "Json | Absent" = ABSENT
    actual: "Json | Absent" = ABSENT
    assertion: str = ""
    """Kind of the assertion behind it (`equals`, `oneOf` …); empty when values are compared."""
    origin: str = ""
    """`toolParams`, `stub`, `baseline` or `previous`."""
    note: str = ""
    """Why it was not checked, or what else there is to know."""


def compare_params(
    expected: Mapping[str, Json], actual: Mapping[str, Json], origin: str
) -> tuple[ParamDiff, ...]:
    """Every leaf of both sides once: those of `expected` in its order, then what is extra."""
    wanted, sent = dict(flatten(expected)), dict(flatten(actual))
    rows = [_compare(path, value, sent.get(path, ABSENT), origin) for path, value in wanted.items()]
    rows += [
        ParamDiff(path, ParamState.EXTRA, ABSENT, value, origin=origin)
        for path, value in sent.items()
        if path not in wanted
    ]
    return tuple(rows)


def _compare(path: str, expected: Json, actual: "Json | Absent", origin: str) -> ParamDiff:
    if isinstance(actual, Absent):
        state = ParamState.MISSING
    else:
        state = ParamState.SAME if same_json(expected, actual) else ParamState.CHANGED
    return ParamDiff(path, state, expected, actual, origin=origin)


def flatten(params: Mapping[str, Json]) -> Iterator[tuple[str, Json]]:
    """Leaves with their paths; empty lists and objects are leaves."""
    for key, value in params.items():
        yield from _leaves(_step("", key), value, MAX_DEPTH)


def _leaves(path: str, value: Json, depth: int) -> Iterator[tuple[str, Json]]:
    if depth and isinstance(value, Mapping) and value:
        for key, child in value.items():
            yield from _leaves(_step(path, key), child, depth - 1)
    elif depth and _is_list(value) and value:
        for index, child in enumerate(value):
            yield from _leaves(f"{path}[{index}]", child, depth - 1)
    else:
        yield path, value


def _step(path: str, key: str) -> str:
    if not _PLAIN.fullmatch(key):
        key = key.replace("\\", "\\\\").replace('"', '\\"')
        return f'{path}["{key}"]'
    return f"{path}.{key}" if path else key


def same_json(left: Json, right: Json) -> bool:
    """Equality of JSON values: 18 and 18.0 are one number, `true` and 1 are not one value."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(
            same_json(value, right[key]) for key, value in left.items()
        )
    if _is_list(left) and _is_list(right):
        return len(left) == len(right) and all(map(same_json, left, right))
    return left == right


def _is_list(value: Json) -> TypeGuard[Sequence[Json]]:
    return isinstance(value, (list, tuple))


_PLAIN = re.compile(r"[^\s.\[\]\"\\]+")
