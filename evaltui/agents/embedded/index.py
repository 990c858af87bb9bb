"""The tools of one registry, prepared; an edit prepares only the tool that was edited."""

from collections.abc import Iterable, Mapping

from evaltui.agents.embedded.background import Background, background
from evaltui.agents.embedded.tool_document import ToolDocument, read_tool
from evaltui.core.record import dataclass
from evaltui.core.tool import ToolDefinition, ToolStatus


@dataclass(frozen=True, slots=True)
class RegistryIndex:
    """Documents by name, sorted, so that the order of tools in a file never matters."""

    documents: Mapping[str, ToolDocument]
    background: Background


def build_index(
    tools: Iterable[ToolDefinition],
    before: RegistryIndex | None = None,
    table: Background | None = None,
) -> RegistryIndex:
    """Index all tools but removed ones, taking over what `before` already prepared."""
    table = table or (before.background if before else background())
    known = before.documents if before and before.background is table else {}
    documents: dict[str, ToolDocument] = {}
    for tool in sorted(tools, key=lambda tool: tool.name):
        if tool.status is ToolStatus.REMOVED:
            continue
        old = known.get(tool.name)
        documents[tool.name] = (
            old if old and _same(old.definition, tool) else read_tool(tool, table)
        )
    return RegistryIndex(documents, table)


def _same(old: ToolDefinition, new: ToolDefinition) -> bool:
    return old is new or (old.description == new.description and old.parameters == new.parameters)
