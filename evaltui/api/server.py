"""Listening: the application on a socket, until it is told to end."""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from evaltui.core.errors import UserError
from evaltui.process import LONGEST_TIDYING_S, end_on_signals

_LAST_ANSWERS_S = 2
"""So long answers may take that are under way when it ends; events end with their runs."""
_FURTHER = 2
"""A second Ctrl+C is often the first one told twice: by the terminal, and by what started us."""


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


def serve(
    app: ASGIApp,
    place: socket.socket,
    on_begin: Callable[[], None],
    end_runs: Callable[[], Awaitable[None]],
) -> int:
    """Answer until Ctrl+C or another signal to end, whose number is returned; 0 without one.

    It cancels runs, and what finished is kept; a third signal leaves at once.
    """
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
    server = _Server(config, requests, end_runs)
    with place:
        asyncio.run(_serve(server, place, on_begin))
    return server.ended_by


async def _serve(server: "_Server", place: socket.socket, on_begin: Callable[[], None]) -> None:
    end_on_signals(server.end, lambda: None, longest_s=LONGEST_TIDYING_S, further=_FURTHER)
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
    def __init__(
        self, config: uvicorn.Config, requests: _Requests, end_runs: Callable[[], Awaitable[None]]
    ) -> None:
        super().__init__(config)
        self._requests, self._end_runs = requests, end_runs
        self.ended_by = 0

    def end(self, signal: int) -> None:
        self.ended_by = signal
        self.should_exit = True

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """We do: these would be told once more at the end, the second one in the midst of it."""
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._requests.ending.set()
        for server in self.servers:
            server.close()
        await self._end_runs()  # before answers are broken off: whoever follows one hears its end
        await super().shutdown(sockets)


def in_one_line(record: logging.LogRecord) -> bool:
    """What a page sent that is no text is its mistake: where we read it helps nobody. That answers
    were broken off at the end is said already."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, UnicodeDecodeError):
        record.exc_info = None
    return not isinstance(error, asyncio.CancelledError)
