"""A server made with the SDK, over streamable HTTP or SSE: TRANSPORT PORT KEY."""

import sys

import uvicorn
from mcp.server import MCPServer
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

server = MCPServer("web")
TRANSPORT, PORT, KEY = sys.argv[1:]


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


class Guarded:
    """Refuses whoever does not bring the key."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and Request(scope).headers.get("x-key") != KEY:
            response: Response = PlainTextResponse(f"not {KEY}", 401)
            await response(scope, receive, send)
        else:
            await self._app(scope, receive, send)


app = server.sse_app() if TRANSPORT == "sse" else server.streamable_http_app()
uvicorn.run(Guarded(app), port=int(PORT), log_level="error")
