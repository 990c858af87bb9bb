"""Listening: the application on a socket, until it is told to end."""

import asyncio
import socket
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp

from evaltui.core.errors import UserError

_LAST_ANSWERS_S = 2
"""So long answers may take that are under way when it ends; streams of events would take longer."""


def listen(host: str, port: int) -> socket.socket:
    """Raises UserError where that cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    hint = "Choose others with --host and --port."
    if not 0 <= port < 1 << 16:
        raise UserError(f"There is no port {port}.", hint)
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise UserError(f"The server cannot listen on {host}, port {port}: {why}.", hint) from error


def serve(app: ASGIApp, place: socket.socket, on_begin: Callable[[], None]) -> None:
    """Answer until Ctrl+C or a signal to end: that cancels runs, and what finished is kept."""
    config = uvicorn.Config(
        app,
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_LAST_ANSWERS_S,
        ws_max_size=1 << 20,
    )
    with place:
        asyncio.run(_serve(uvicorn.Server(config), place, on_begin))


async def _serve(
    server: uvicorn.Server, place: socket.socket, on_begin: Callable[[], None]
) -> None:
    on_begin()
    await server.serve(sockets=[place])
