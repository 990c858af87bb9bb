"""Tools of several sources in one registry; two of one name are reported."""

from collections.abc import Iterable

from evaltui.core.errors import Problem
from evaltui.core.tool import ToolDefinition


def merge(tools: Iterable[ToolDefinition]) -> tuple[dict[str, ToolDefinition], list[Problem]]:
    """By name in source order; of two with one name the first counts, and a problem names both.

    The same place read through two sources is one tool.
    """
    merged: dict[str, ToolDefinition] = {}
    problems: list[Problem] = []
    for tool in tools:
        first = merged.setdefault(tool.name, tool)
        if first is tool or (first.file, first.line) == (tool.file, tool.line) != ("", 0):
            continue
        problems.append(
            Problem(
                tool.file,
                f"a second tool is named `{tool.name}`; the first is at {_place(first)}",
                "Rename or remove one of them; the first one counts.",
                tool.line,
                key=tool.name,
                code="duplicate-tool",
            )
        )
    return merged, problems


def _place(tool: ToolDefinition) -> str:
    return f"{tool.file or tool.source}:{tool.line}" if tool.line else tool.file or tool.source
