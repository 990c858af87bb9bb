"""The dashboard in a browser: a process for each page, connected by a socket."""

import asyncio
import json
import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import textual_serve
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

from evaltui.core.finite_json import decode_json

MOST_AT_ONCE = 8
"""Dashboards, each a process."""
LONGEST_END_S = 10.0
"""So long a dashboard may take to end by itself, and as long again once its input is closed."""
_PAGE = Path(__file__).parent / "page"
_STATIC = Path(textual_serve.__file__).parent / "static"
_OWN = "'self'"
_ONLY_OURS = (
    f"default-src 'none'; script-src {_OWN}; style-src {_OWN} 'unsafe-inline'; font-src {_OWN}; "
    f"img-src {_OWN} data:; connect-src {_OWN}; base-uri 'none'; form-action 'none'"
)
"""Nothing is loaded from elsewhere; xterm sets styles of its own."""


def command_of(words: Sequence[str]) -> str:
    """The command line of a dashboard with these flags, for a shell."""
    return f"exec {shlex.join((sys.executable, '-m', 'evaltui', *words))}"


class Dashboards:
    """Those that are open."""

    def __init__(self, command: str) -> None:
        self._command = command
        self._open = 0
        self._downloads = DownloadManager()
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def routes(self) -> list[BaseRoute]:
        return [
            Route("/", _index),
            Mount("/page", StaticFiles(directory=_PAGE)),
            Mount("/static", StaticFiles(directory=_STATIC)),
            WebSocketRoute("/ws", self.connect),
        ]

    async def close(self) -> None:
        """Wait for those whose page is gone: an event loop has to hear of the end of what it
        started."""
        await asyncio.gather(*self._ending)

    async def connect(self, socket: WebSocket) -> None:
        """One dashboard, from the opening of its page to the end of either."""
        if (running := self._open + len(self._ending)) >= MOST_AT_ONCE:
            await socket.close(1013, f"{running} dashboards are open.")
            return
        self._open += 1
        try:
            await socket.accept()
            await self._hold(socket)
        finally:
            self._open -= 1

    async def _hold(self, socket: WebSocket) -> None:
        page = _Page(socket)
        service = _Dashboard(
            self._command,
            write_bytes=page.send_bytes,
            write_str=page.send_text,
            close=page.close,
            download_manager=self._downloads,
        )
        size = (_cells(socket.query_params.get(name)) for name in ("width", "height"))
        await service.start(*size)
        try:
            async for text in socket.iter_text():
                await _take(service, page, text)
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            # Not waited for here: a server that ends gives its pages less time than that may take.
            ending = asyncio.create_task(service.leave())
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)


class _Dashboard(AppService):
    async def leave(self) -> None:
        """Ask it to end, and see that it does."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.stop(), LONGEST_END_S)
        self.stdin.close()  # at that it leaves, if it does not listen any more
        assert self._process is not None
        try:
            await asyncio.wait_for(self._process.wait(), LONGEST_END_S)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()


class _Page:
    """The other end; that it is gone is heard where its messages are read."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket

    async def send_bytes(self, data: bytes) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            await self._socket.send_bytes(data)

    async def send_text(self, text: str) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            await self._socket.send_text(text)

    async def close(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            await self._socket.close()


async def _take(service: Any, page: _Page, text: str) -> None:
    """What the page says; what it cannot say is passed over."""
    try:
        kind, *rest = decode_json(text)
        payload = rest[0] if rest else None
    except (ValueError, TypeError, RecursionError):
        return
    if kind == "stdin" and isinstance(payload, str):
        await service.send_bytes(payload.encode("utf-8", "replace"))
    elif kind == "resize" and isinstance(payload, dict):
        size = (_cells(payload.get(name)) for name in ("width", "height"))
        await service.set_terminal_size(*size)
    elif kind == "ping" and isinstance(payload, str):
        await page.send_text(json.dumps(["pong", payload]))
    elif kind == "blur":
        await service.blur()
    elif kind == "focus":
        await service.focus()


def _cells(value: object) -> int:
    """A width or height as a page tells it: 1 to 1,000."""
    text = str(value)
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else 80
    return min(max(number, 1), 1000)


async def _index(_: Request) -> Response:
    headers = {"Content-Security-Policy": _ONLY_OURS}
    return FileResponse(_PAGE / "index.html", headers=headers)
