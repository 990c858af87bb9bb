"""Recognizes pydantic-ai's toolsets and agents by their shape; nothing is imported.

Loaded by its path inside of the child with any Python from 3.9 on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_PACKAGE = "pydantic_ai"
_CHOOSES = ("FilteredToolset", "PreparedToolset")
"""They decide with each run which tools there are, and what they are."""


def tools_of(value: Any, unread: list[str]) -> list[tuple[str, Any]] | None:
    """Its tools by the names under which they are offered; `None` of anything else.

    To `unread` goes the type of what only a run would tell.
    """
    if isinstance(value, type) or not _kinds(value):
        return None
    tools, definitions = getattr(value, "tools", None), getattr(value, "tool_defs", None)
    if isinstance(tools, Mapping):
        return [(str(name), tool) for name, tool in tools.items()]
    if isinstance(definitions, (list, tuple)):
        return [(tool.name, tool) for tool in definitions]
    parts = _parts(value)
    if not parts or type(value).__name__ in _CHOOSES:
        if "AbstractToolset" not in _kinds(value):
            return None
        unread.append(type(value).__name__)
        return []
    found = [each for part in parts for each in tools_of(part, unread) or ()]
    return [(_renamed(name, value), tool) for name, tool in found]


def held(value: Any) -> Iterator[Any]:
    """The toolsets within a toolset or agent, and those within them: no tools of their own."""
    for part in _parts(value) if not isinstance(value, type) and _kinds(value) else ():
        yield part
        yield from held(part)


def _parts(value: Any) -> list[Any]:
    """An agent and a combined toolset hold several, one that changes another holds that."""
    several = getattr(value, "toolsets", None)
    if isinstance(several, (list, tuple)):
        return list(several)
    wrapped = getattr(value, "wrapped", None)
    return [] if wrapped is None else [wrapped]


def _renamed(name: str, holder: Any) -> str:
    kind = type(holder).__name__
    if kind == "PrefixedToolset":
        return f"{holder.prefix}_{name}"
    if kind == "RenamedToolset":
        return next((new for new, old in holder.name_map.items() if old == name), name)
    return name


def _kinds(value: Any) -> list[str]:
    """Names of the classes of that package that it is one of."""
    return [
        kind.__name__
        for kind in type(value).__mro__
        if (kind.__module__ or "").split(".")[0] == _PACKAGE
    ]
