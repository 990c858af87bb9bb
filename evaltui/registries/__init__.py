"""SOURCES: the kinds of source for tool definitions, and the one call that reads them all."""

from evaltui.registries.reader import ReadRegistry, RegistryReader, read_registry
from evaltui.registries.source import SourceRead, SourceReader, SourceRequest, SourceSettings

SOURCES: dict[str, str] = {
    "folder": "evaltui.registries.folder_source:FolderReader",
    "json": "evaltui.registries.json_source:JsonReader",
    "mcp": "evaltui.registries.mcp.reader:McpReader",
    "openapi": "evaltui.registries.openapi.reader:OpenApiReader",
    "python": "evaltui.registries.python_source:PythonReader",
    "typescript": "evaltui.registries.typescript.reader:TypeScriptReader",
}
"""Source type → `module:class` of its `SourceReader`, imported when first used."""

__all__ = [
    "SOURCES",
    "ReadRegistry",
    "RegistryReader",
    "SourceRead",
    "SourceReader",
    "SourceRequest",
    "SourceSettings",
    "read_registry",
]
