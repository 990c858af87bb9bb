"""What an MCP server lists: all pages, as tool definitions."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from evaltui.core.tool import ToolDefinition
from evaltui.net.masking import masked
from evaltui.net.secret_mask import SecretResolver
from evaltui.registries.mcp.server import McpServer

if TYPE_CHECKING:
    from mcp import Client

MAX_PAGES = 1_000


class Listing(Struct, frozen=True):
    """What is known of a server now."""

    tools: tuple[ToolDefinition, ...] = ()
    at: float = 0.0
    """When they were listed, in seconds since the epoch; 0: never."""
    fault: str = ""
    """Why it cannot be reached now; empty while it can."""
    lost_at: float = 0.0
    """Since when, in seconds since the epoch."""
    is_restless: bool = False
    """It tells of changes all the time, and is listed now and then only."""
    is_cut: bool = False
    """It has more pages than are read."""


async def list_tools(
    client: "Client", server: McpServer, source: str, secrets: SecretResolver
) -> tuple[tuple[ToolDefinition, ...], Mapping[str, str], bool]:
    """The tools of all pages, by their names here their names on the server, and whether there are
    more pages than are read."""
    tools: list[ToolDefinition] = []
    names: dict[str, str] = {}
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        page = await client.list_tools(cursor=cursor)
        for tool in page.tools:
            # A server may put what it was given, a default for instance, into what it lists.
            name = f"{server.prefix}{tool.name}"
            names[name] = tool.name
            tools.append(
                ToolDefinition(
                    name,
                    secrets.mask.hide(tool.description) if tool.description else tool.description,
                    parameters=masked(tool.input_schema, secrets.mask.hide),
                    file=server.place,
                    depends_on=tuple(filter(None, (server.place, server.file))),
                    source=source,
                )
            )
        if not page.next_cursor or page.next_cursor == cursor:
            return tuple(tools), names, False
        cursor = page.next_cursor
    return tuple(tools), names, True
