"""Merges the tools of several sources into one registry; duplicate names are reported."""

from collections.abc import Iterable

from evaltui.core.errors import Problem
from evaltui.core.tool import ToolDefinition

DUPLICATE = "duplicate-tool"
"""Code of the problem of a second tool of one name."""


def merge(tools: Iterable[ToolDefinition]) -> tuple[dict[str, ToolDefinition], list[Problem]]:
    """By name in source order; of two with one name the first counts, and a problem names both.

    The same place read through two sources is one tool, and so is what says the very same in two
    places, as a registration and an export of the constants that it is made of.
    """
    merged: dict[str, ToolDefinition] = {}
    problems: list[Problem] = []
    for tool in tools:
        first = merged.setdefault(tool.name, tool)
        is_reread = first.source != tool.source and _at(first) == _at(tool) != ("", 0)
        if first is tool or is_reread or _said(first) == _said(tool):
            continue
        problems.append(
            Problem(
                tool.file,
                f"a second tool is named `{tool.name}`; the first is at {_place(first)}",
                "Rename or remove one of them; the first one counts.",
                tool.line,
                key=tool.name,
                code=DUPLICATE,
            )
        )
    return merged, problems


def _at(tool: ToolDefinition) -> tuple[str, int]:
    return tool.file, tool.line


def _said(tool: ToolDefinition) -> tuple[object, ...]:
    """All that anybody is told of it, and what is not known of it."""
    unknown = frozenset((one.field, one.expression) for one in tool.unresolved)
    fields = tool.description, tool.version, tool.category, tool.parameters, tool.status
    return (*fields, unknown)


def _place(tool: ToolDefinition) -> str:
    return f"{tool.file or tool.source}:{tool.line}" if tool.line else tool.file or tool.source
