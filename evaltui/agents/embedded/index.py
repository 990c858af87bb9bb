"""The tools of one registry, prepared; an edit prepares only the tool that was edited."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from evaltui.agents.embedded.background import Background, background
from evaltui.agents.embedded.tool_document import ToolDocument, read_tool
from evaltui.core.tool import ToolDefinition, ToolStatus


class RegistryIndex(Struct, frozen=True):
    """Documents by name, sorted, so that the order of tools in a file never matters."""

    documents: Mapping[str, ToolDocument]
    background: Background
    holders: Mapping[str, frozenset[str]]
    """Names of the tools that say a stem: all others have nothing to do with a message of it."""

    def sharing(self, stems: Iterable[str]) -> list[ToolDocument]:
        """The documents with at least one of these stems, by name."""
        holders = self.holders
        names = set().union(*[holders[stem] for stem in stems if stem in holders])
        return [self.documents[name] for name in sorted(names)]


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
    return RegistryIndex(documents, table, _holders(documents))


def _holders(documents: Mapping[str, ToolDocument]) -> dict[str, frozenset[str]]:
    holders: dict[str, set[str]] = {}
    for name, document in documents.items():
        for stem in document.terms:
            holders.setdefault(stem, set()).add(name)
    return {stem: frozenset(names) for stem, names in holders.items()}


def _same(old: ToolDefinition, new: ToolDefinition) -> bool:
    return old is new or (old.description == new.description and old.parameters == new.parameters)
