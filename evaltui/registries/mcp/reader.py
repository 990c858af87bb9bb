"""Reads live MCP servers as if they were files: what they list now, or listed last."""

import asyncio
import atexit
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from threading import Lock

from evaltui.core.errors import SERVER_DOWN, Problem, Severity
from evaltui.core.permit import NOTHING, not_trusted
from evaltui.core.response import ToolCall
from evaltui.core.tool import ToolDefinition
from evaltui.net.secret_mask import SecretResolver
from evaltui.registries.last_good import kept_words
from evaltui.registries.mcp.connection import LONGEST_REST_S, Connection
from evaltui.registries.mcp.listing import MAX_PAGES, Listing
from evaltui.registries.mcp.loop_thread import LoopThread
from evaltui.registries.mcp.server import McpServer, NamedServers, servers_of
from evaltui.registries.source import SourceRead, SourceRequest

CLOSE_S = 8.0
"""The SDK gives a server 2 s to end by itself, 2 after SIGTERM, 2 after SIGKILL."""


class McpReader:
    """Connects when first asked, stays connected, and tells `on_change` of every change."""

    live = True
    can_be_down = True

    def __init__(self) -> None:
        self.permit = NOTHING
        self.secrets_of: Callable[[Path], SecretResolver] = lambda _: SecretResolver()
        self.on_change: Callable[[str], None] = lambda _: None
        """Called with a server's place, from another thread."""
        self._thread = LoopThread()
        self._open: dict[tuple[str, str], Connection] = {}
        self._named: dict[str, NamedServers] = {}
        self._lock = Lock()

    def read(self, request: SourceRequest) -> SourceRead:
        """Waits for the first answer of a server it did not know; later ones are told."""
        named = servers_of(request)
        before = self._named.get(request.location)
        servers = named.servers if named.is_readable or before is None else before.servers
        if named.is_readable:
            self._named[request.location] = named
        refused = [one for one in servers if self.permit.missing((one.grant(request.root),))]
        servers = tuple(one for one in servers if one not in refused)
        self._close_all_but(request.location, servers)
        opened = [self._connected(server, request) for server in servers]
        tools: list[ToolDefinition] = []
        problems = [*named.problems, *(not_trusted(one.grant(request.root)) for one in refused)]
        down: set[str] = set()
        listed: dict[str, float] = {}
        for connection in opened:
            connection.first.wait(connection.server.timeout_s + 2 * CLOSE_S)
            connection.first.set()  # whatever comes later is a change, and told
            listing = _or_previous(connection, request)
            tools += listing.tools
            listed[connection.server.place] = listing.at
            if listing.fault:
                down.add(connection.server.place)
                problems.append(_down(connection.server, listing))
            elif listing.is_restless:
                problems.append(_restless(connection.server))
            if listing.is_cut:
                problems.append(_cut(connection.server, len(listing.tools)))
        places = tuple(connection.server.place for connection in opened)
        files = (*named.files, *places)
        return SourceRead(tuple(tools), files, tuple(problems), frozenset(down), listed)

    def keep(self, locations: Collection[str]) -> None:
        """Let go of the servers of every other source."""
        for location in {location for location, _ in self._open} - set(locations):
            self._close_all_but(location, ())

    def last_listed(self) -> Mapping[str, float]:
        """By place, when each server that answers now was last listed."""
        listings = {opened.server.place: opened.listing for opened in list(self._open.values())}
        return {place: listing.at for place, listing in listings.items() if not listing.fault}

    def owns(self, tool: ToolDefinition) -> bool:
        return self._connection_of(tool) is not None

    async def call(self, tool: ToolDefinition, call: ToolCall) -> ToolCall:
        """Execute a call on the server that the tool comes from."""
        connection = self._connection_of(tool)
        if connection is None:
            raise KeyError(tool.name)
        return await asyncio.wrap_future(self._thread.submit(connection.call(call)))

    def close(self) -> None:
        """End every connection, and every server that was started."""
        with self._lock:
            opened, self._open = list(self._open.values()), {}
        for connection in opened:
            self._thread.soon(connection.stop)
            connection.first.set()  # nobody waits for it any longer
        self._thread.stop(CLOSE_S)
        atexit.unregister(self.close)

    def _connection_of(self, tool: ToolDefinition) -> Connection | None:
        for connection in list(self._open.values()):
            if connection.server.place == tool.file:
                return connection
        return None

    def _connected(self, server: McpServer, request: SourceRequest) -> Connection:
        key = (request.location, server.name)
        with self._lock:
            known = self._open.get(key)
            if known is not None:
                return known
            if not self._open:
                atexit.register(self.close)
            # Its own: what `.env` holds now was agreed to, not what it held for another server.
            secrets = self.secrets_of(request.root)
            connection = Connection(server, request.location, request.root, secrets, self._tell)
            self._open[key] = connection
            self._thread.submit(connection.run())
            return connection

    def _close_all_but(self, location: str, servers: Collection[McpServer]) -> None:
        wanted = {server.name: server for server in servers}
        with self._lock:
            for key in [key for key in self._open if key[0] == location]:
                if wanted.get(key[1]) != self._open[key].server:
                    self._thread.soon(self._open.pop(key).stop)

    def _tell(self, place: str) -> None:
        self.on_change(place)


def _or_previous(connection: Connection, request: SourceRequest) -> Listing:
    """A server that was never reached keeps the tools that were in force before."""
    listing = connection.listing
    if listing.at or listing.tools:
        return listing
    place = connection.server.place
    tools = tuple(
        tool for tool in request.previous if tool.file == place and tool.source == request.location
    )
    fault = listing.fault or "it did not answer in time"
    return Listing(tools, request.listed.get(place, 0.0), fault, listing.lost_at)


def _restless(server: McpServer) -> Problem:
    return Problem(
        server.file,
        f"the MCP server `{server.name}` reports changes of its tools all the time",
        f"It is listed every {LONGEST_REST_S:g} s meanwhile; have it report only real changes.",
        server.line,
        severity=Severity.WARNING,
        code="restless-server",
    )


def _cut(server: McpServer, count: int) -> Problem:
    return Problem(
        server.file,
        f"the MCP server `{server.name}` lists its tools on more than {MAX_PAGES:,} pages; only "
        f"{count:,} tools are read",
        "Have it list them on fewer pages, the last of which names no other.",
        server.line,
        severity=Severity.WARNING,
        code="too-many-pages",
    )


def _down(server: McpServer, listing: Listing) -> Problem:
    what = f"the MCP server `{server.name}` cannot be reached: {listing.fault}"
    if not listing.tools:
        hint = "Start it, or correct how it is reached; it is tried again by itself."
        return Problem(server.file, what, hint, server.line, code=SERVER_DOWN)
    kept = kept_words(len(listing.tools), listing.at, listing.lost_at)
    hint = f"{kept} It is tried again by itself."
    return Problem(
        server.file, what, hint, server.line, severity=Severity.WARNING, code=SERVER_DOWN
    )
