"""Which tools a case talks about."""

from collections.abc import Iterable, Iterator, Mapping

from evaltui.core.case import Case
from evaltui.core.json_value import Json

NO_TOOL = "__none__"
"""Stands in `toolsAcceptable` for calling nothing (contract requirement 28)."""


def mentioned_tools(case: Case) -> frozenset[str]:
    """Every tool named in the expectations or stubs of a case, as written there."""
    expect = case.expect or {}
    names = set(_texts(expect.get("toolsCalled")))
    names.update(_texts(expect.get("toolsNotCalled")))
    names.update(_texts(expect.get("toolsAcceptable")))
    entries = expect.get("toolParams")
    if isinstance(entries, list | tuple):
        for entry in entries:
            if isinstance(entry, Mapping):
                names.update(_texts(entry.get("tool")))
    if case.stubs:
        names.update(case.stubs)
    names.discard(NO_TOOL)
    return frozenset(names)


def _texts(value: Json) -> Iterable[str]:
    if isinstance(value, str):
        return (value,)
    return _members(value) if isinstance(value, list | tuple) else ()


def _members(values: Iterable[Json]) -> Iterator[str]:
    for value in values:
        yield from _texts(value)
