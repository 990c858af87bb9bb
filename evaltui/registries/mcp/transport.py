"""Connecting to an MCP server: over pipes, streamable HTTP or server-sent events."""

import logging
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

from evaltui.child.watched_loop import within_watch
from evaltui.core.secret_name import is_secret_name
from evaltui.core.shown_secret import literal_secrets
from evaltui.net.secret_mask import SecretResolver
from evaltui.registries.mcp.server import McpServer

if TYPE_CHECKING:
    from mcp import Client
    from mcp.client import Transport


_STEP_S, _STREAM_S = 30.0, 300.0
"""Connecting and sending, and waiting for the next piece of a stream: as the SDK's own client."""


async def open_client(
    stack: AsyncExitStack,
    server: McpServer,
    root: Path,
    secrets: SecretResolver,
    errlog: TextIO,
    on_news: Callable[[], None],
) -> "Client":
    """A client that lives as long as `stack`; `on_news` is called when a list may have changed.

    Raises UserError for a variable that is not set, and whatever the SDK raises.
    """
    from mcp import Client
    from mcp.types import ToolListChangedNotification

    async def on_message(message: Any) -> None:
        if isinstance(message, ToolListChangedNotification | Exception):
            on_news()

    logger = logging.getLogger("mcp")  # its last resort is stderr, where the screen is
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())
        logger.propagate = False
    client = Client(
        await _transport(stack, server, root, secrets, errlog),
        message_handler=on_message,
        cache=None,
        read_timeout_seconds=server.timeout_s,
    )
    return await stack.enter_async_context(client)


async def _transport(
    stack: AsyncExitStack, server: McpServer, root: Path, secrets: SecretResolver, errlog: TextIO
) -> "Transport":
    def filled(template: str, where: str) -> str:
        return secrets.fill(template, f"{server.name}.{where}", masks_literal=is_secret_name(where))

    if server.transport == "stdio":
        from mcp.client.stdio import StdioServerParameters, stdio_client

        stack.enter_context(within_watch())
        secrets.note_literals(literal_secrets((server.command, *server.args)))
        return cast(
            "Transport",
            stdio_client(
                StdioServerParameters(
                    command=filled(server.command, "command"),
                    args=[filled(word, "args") for word in server.args],
                    env={k: filled(v, f"env.{k}") for k, v in server.env.items()},
                    cwd=root / filled(server.cwd, "cwd"),
                    encoding_error_handler="replace",
                ),
                errlog,
            ),
        )
    from evaltui.registries.mcp.limited_answers import make_client

    url = filled(server.url, "url")
    headers = {k: filled(v, f"headers.{k}") for k, v in server.headers.items()}
    if server.transport == "sse":
        from mcp.client.sse import sse_client

        sse = sse_client(url, headers, timeout=server.timeout_s, httpx_client_factory=make_client)
        return cast("Transport", sse)
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    # A server may hold a stream open for long before it says something.
    limit = httpx2.Timeout(_STEP_S, read=_STREAM_S)
    http = await stack.enter_async_context(make_client(headers, limit))
    return cast("Transport", streamable_http_client(url, http_client=http))
