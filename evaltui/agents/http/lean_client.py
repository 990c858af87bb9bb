"""A lean keep-alive client: one connection for each request in flight, used again and again."""

import asyncio
import socket
import zlib
from typing import TYPE_CHECKING

from evaltui.agents.http.wire import Connection, OnHead, TooLarge, WireError, WireResponse
from evaltui.core.errors import AgentError
from evaltui.net.target import Target

if TYPE_CHECKING:
    import ssl

DEFAULT_LIMIT = 32 * 1024 * 1024
"""Bytes of one answer, packed or unpacked."""
_EYEBALLS_S = 0.25
"""After this a name's next address is tried too (RFC 8305)."""
_HANDSHAKE_S = 15.0
"""A server without TLS often just waits for more: say so before the case's own limit passes."""


class HttpClient:
    """Sends complete requests to one target. Every fault is an AgentError."""

    def __init__(self, target: Target, *, limit: int = DEFAULT_LIMIT) -> None:
        self._target = target
        self._limit = limit
        self._idle: list[Connection] = []
        self._tls: ssl.SSLContext | None = None

    async def send(self, request: bytes, on_head: OnHead | None = None) -> WireResponse:
        """One request, one response.

        Sent a second time only when a kept-alive connection turns out to have been closed before
        any byte of an answer: the server then never took the request.
        """
        while True:
            connection = self._take_idle() or await self._connect()
            is_first_use = connection.uses == 0
            try:
                response = await connection.exchange(request, on_head)
            except WireError as error:
                if error.untouched and not is_first_use:
                    self._drop_idle()  # its neighbours are as old: go on with a fresh one
                    continue
                raise self._fault(error) from error
            if connection.is_idle:
                self._idle.append(connection)
            return response

    async def close(self) -> None:
        self._drop_idle()
        await asyncio.sleep(0)  # lets the transports release their sockets

    def _take_idle(self) -> Connection | None:
        while self._idle:
            connection = self._idle.pop()
            if connection.is_idle:
                return connection
        return None

    def _drop_idle(self) -> None:
        for connection in self._idle:
            connection.abort()
        self._idle.clear()

    async def _connect(self) -> Connection:
        target = self._target
        try:
            _, connection = await asyncio.get_running_loop().create_connection(
                lambda: Connection(self._limit),
                target.host,
                target.port,
                ssl=self._context() if target.is_tls else None,
                ssl_handshake_timeout=_HANDSHAKE_S if target.is_tls else None,
                happy_eyeballs_delay=None if target.is_address else _EYEBALLS_S,
            )
        except OSError as error:
            raise self._unreachable(error) from error
        return connection

    def _context(self) -> "ssl.SSLContext":
        if self._tls is None:
            import ssl

            self._tls = ssl.create_default_context()
        return self._tls

    def _unreachable(self, error: OSError) -> AgentError:
        place = f"`{self._target.host}` port {self._target.port}"
        if isinstance(error, socket.gaierror):
            what = f"host `{self._target.host}` was not found. Check the URL and the network."
        elif isinstance(error, ConnectionRefusedError) or "refused" in str(error).lower():
            what = f"connection refused by {place}. Start the agent, or check the URL."
        elif type(error).__name__.startswith("SSL"):
            what = f"no secure connection to {place}: {error}. Check the certificate and the URL."
        else:
            what = f"no connection to {place}: {error}. Check that the agent runs."
        return AgentError(what, retryable=True)

    def _fault(self, error: WireError) -> AgentError:
        if isinstance(error, TooLarge):
            return AgentError(
                f"{error.what}, more than the {self._limit / 2**20:g} MiB that are read. "
                "Answer less, or raise `max_answer_bytes`.",
                category="contract_violation",
            )
        return AgentError(f"{error.what}. Look into the agent's own log.", retryable=True)


def decoded_body(response: WireResponse, limit: int = DEFAULT_LIMIT) -> bytes:
    """The body with `content-encoding` undone. Raises AgentError."""
    encoding = response.headers.get(b"content-encoding", b"").strip().lower()
    if not encoding or encoding == b"identity" or not response.body:
        return response.body
    if encoding not in {b"gzip", b"x-gzip", b"deflate"}:
        raise AgentError(
            f"the answer is packed as `{encoding.decode('latin-1')}`, which was not asked for. "
            "Answer without content-encoding.",
            category="contract_violation",
        )
    for window in (zlib.MAX_WBITS | 32, -zlib.MAX_WBITS):
        unpacker = zlib.decompressobj(window)
        try:
            body = unpacker.decompress(response.body, limit + 1)
        except zlib.error:
            continue
        if len(body) > limit:
            raise AgentError(
                f"the answer unpacks to more than {limit / 2**20:g} MiB. "
                "Answer less, or raise `max_answer_bytes`.",
                category="contract_violation",
            )
        if unpacker.eof:
            return body
        break
    raise AgentError(
        "the packed answer is damaged or cut off. Answer without content-encoding.",
        category="parse_error",
    )
