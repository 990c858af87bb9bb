"""The tools of a registry as a model API sees them, made once for each registry."""

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec import Struct

from evaltui.agents.models.tool_names import ToolNames
from evaltui.agents.models.tool_schema import api_schema
from evaltui.core.json_value import Json
from evaltui.core.tool import ToolRegistry, ToolStatus

Spell: TypeAlias = "Callable[[str, str | None, dict[str, Json]], dict[str, Any]]"
"""How a dialect writes one tool: name, description, schema."""


class OfferedTools(Struct, frozen=True):
    """`listed` goes into the request as it is."""

    names: ToolNames
    listed: tuple[dict[str, Any], ...]
    notes: tuple[str, ...]
    """What the model was not told."""


def offer(registry: ToolRegistry, spell: Spell) -> OfferedTools:
    """All tools but removed ones, in source order."""
    tools = [tool for tool in registry if tool.status is not ToolStatus.REMOVED]
    names = ToolNames(tool.name for tool in tools)
    listed: list[dict[str, Any]] = []
    notes: list[str] = []
    for tool in tools:
        schema, lost = api_schema(tool.parameters)
        listed.append(spell(names.to_api(tool.name), tool.description, schema))
        if lost:
            notes.append(f"`{tool.name}`: {lost}")
    return OfferedTools(names, tuple(listed), tuple(notes))
