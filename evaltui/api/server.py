"""Listening: the application on a socket, until it is told to end."""

import asyncio
import logging
import socket
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
    requests = _Requests(app)
    config = uvicorn.Config(
        requests,
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_LAST_ANSWERS_S,
        ws_max_size=1 << 20,
    )
    logging.getLogger("uvicorn.error").addFilter(in_one_line)
    with place:
        asyncio.run(_serve(_Server(config, requests), place, on_begin))


async def _serve(
    server: uvicorn.Server, place: socket.socket, on_begin: Callable[[], None]
) -> None:
    on_begin()
    await server.serve(sockets=[place])


class _Requests:
    """Those whose bodies have not come to their end when the server ends are not waited for."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.ending = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_whole = scope["type"] != "http"

        async def receive_in_time() -> Message:
            nonlocal is_whole
            if is_whole:
                return await receive()
            coming = asyncio.ensure_future(receive())
            ending = asyncio.ensure_future(self.ending.wait())
            try:
                await asyncio.wait((coming, ending), return_when=asyncio.FIRST_COMPLETED)
                message = coming.result() if coming.done() else {"type": "http.disconnect"}
            finally:
                coming.cancel()
                ending.cancel()
            is_whole = not message.get("more_body", False)
            return message

        await self._app(scope, receive_in_time, send)


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, requests: _Requests) -> None:
        super().__init__(config)
        self._requests = requests

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._requests.ending.set()
        await super().shutdown(sockets)


def in_one_line(record: logging.LogRecord) -> bool:
    """What a page sent that is no text is its mistake: where we read it helps nobody."""
    if record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError):
        record.exc_info = None
    return True
