"""A lean keep-alive client: one connection for each request in flight, used again and again."""

import asyncio

from evaltui.agents.http.wire import Connection, OnHead, TooLarge, WireError, WireResponse
from evaltui.core.errors import AgentError
from evaltui.core.on_wait import OnWait, waiting_for_us
from evaltui.net import ANSWER_LIMIT, GAVE_UP
from evaltui.net.connecting import CONNECT_S, tls_context, unanswered, unreachable
from evaltui.net.target import Target
from evaltui.net.unpacking import Unpacker

_EYEBALLS_S = 0.25
"""After this a name's next address is tried too (RFC 8305)."""


class HttpClient:
    """Sends complete requests to one target. Every fault is an AgentError."""

    def __init__(self, target: Target, *, limit: int = ANSWER_LIMIT) -> None:
        self._target = target
        self._limit = limit
        self._idle: list[Connection] = []
        self._keeps = True
        """Whether connections are used again. Not those to a server that answered what nobody had
        asked: its next such answer may come once a request waits, and would be taken for its own.
        """

    async def send(
        self, request: bytes, on_head: OnHead | None = None, on_wait: OnWait | None = None
    ) -> WireResponse:
        """One request, one response; it is written once.

        A server that took it and closed without an answer may have carried it out: sending it
        again is for whoever counts requests. One that gave a kept connection up says that it took
        none: that is asked again over a new one. `on_wait` is told of the time that it takes to
        connect, which has a limit of its own.
        """
        if connection := self._take_idle():
            response = await self._exchange(connection, request, on_head)
            if response.status != GAVE_UP or connection.is_idle:
                return response
        with waiting_for_us(on_wait):
            connection = await self._connect()
        return await self._exchange(connection, request, on_head)

    async def close(self) -> None:
        self._drop_idle()
        await asyncio.sleep(0)  # lets the transports release their sockets

    async def _exchange(
        self, connection: Connection, request: bytes, on_head: OnHead | None
    ) -> WireResponse:
        try:
            response = await connection.exchange(request, on_head)
        except WireError as error:
            raise self._fault(error) from error
        if connection.is_idle:
            if self._keeps:
                self._idle.append(connection)
            else:
                connection.abort()
        return response

    def _take_idle(self) -> Connection | None:
        while self._idle:
            connection = self._idle.pop()
            if connection.is_idle and not connection.was_heard_from():
                return connection
            connection.abort()
        return None

    def _stop_keeping(self) -> None:
        self._keeps = False
        self._drop_idle()

    def _drop_idle(self) -> None:
        for connection in self._idle:
            connection.abort()
        self._idle.clear()

    async def _connect(self) -> Connection:
        target = self._target
        try:
            async with asyncio.timeout(CONNECT_S):
                _, connection = await asyncio.get_running_loop().create_connection(
                    lambda: Connection(self._limit, self._stop_keeping),
                    target.host,
                    target.port,
                    ssl=tls_context() if target.is_tls else None,
                    happy_eyeballs_delay=None if target.is_address else _EYEBALLS_S,
                )
        except TimeoutError:
            raise unanswered(target) from None
        except OSError as error:
            raise unreachable(target, error) from error
        return connection

    def _fault(self, error: WireError) -> AgentError:
        if isinstance(error, TooLarge):
            return AgentError(
                f"{error.what}, more than the {self._limit / 2**20:g} MiB that are read. "
                "Answer less, or raise `max_answer_bytes`.",
                category="contract_violation",
            )
        return AgentError(f"{error.what}. Look into the agent's own log.", retryable=True)


def decoded_body(response: WireResponse, limit: int = ANSWER_LIMIT) -> bytes:
    """The body with `content-encoding` undone. Raises AgentError."""
    encoding = response.headers.get(b"content-encoding", b"")
    if not response.body or (not encoding and len(response.body) <= limit):
        return response.body
    unpacker = Unpacker(encoding.decode("latin-1"))
    body = unpacker.feed(response.body, limit)
    if len(body) > limit:
        raise AgentError(
            f"the answer unpacks to more than {limit / 2**20:g} MiB. "
            "Answer less, or raise `max_answer_bytes`.",
            category="contract_violation",
        )
    unpacker.end()
    return body
