"""Requests over httpx: time limits, proxies, certificates, streams, and faults in words."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager
from threading import Event
from typing import TYPE_CHECKING

from evaltui.core.errors import AgentError
from evaltui.core.on_wait import OnWait, waiting_for_us
from evaltui.net import ANSWER_LIMIT, GAVE_UP
from evaltui.net.connecting import CONNECT_S, tls_context, unanswered, unreachable
from evaltui.net.target import Target

if TYPE_CHECKING:
    import httpx

_LOADED = Event()
_KEEP_S = 30.0
"""An idle connection is not used again after this: most servers have closed it by then."""

SENDING = "http11.send_request_headers.started"
"""The step of the library at which there is a connection, and the request goes out."""


def make_client(
    *, trust_env: bool = False, timeout_s: float | None = None, connections: int | None = None
) -> "httpx.AsyncClient":
    """The one place where httpx clients are made.

    `trust_env`: whether the environment's proxies are used, each request then with a connection of
    its own; `timeout_s`: for each step, `None`
    for none but those before the request is sent; `connections`: how many at most.
    """
    import httpx

    before_s = timeout_s or CONNECT_S
    timeout = httpx.Timeout(timeout_s, connect=before_s, pool=before_s)
    if not trust_env:
        from evaltui.net.watched_transport import WatchedTransport

        transport = WatchedTransport(tls_context(), connections, _KEEP_S)
        return httpx.AsyncClient(transport=transport, trust_env=False, timeout=timeout)
    # The library's way through proxies does not see what a server says behind an answer's end.
    limits = httpx.Limits(max_connections=connections, max_keepalive_connections=0)
    return httpx.AsyncClient(verify=tls_context(), trust_env=True, timeout=timeout, limits=limits)


class ApiAnswer:
    """An answer whose head has arrived."""

    def __init__(self, response: "httpx.Response") -> None:
        self._response = response
        self.status = response.status_code
        self.headers: Mapping[str, str] = response.headers
        """By name in any case."""

    @property
    def is_refused(self) -> bool:
        return not 200 <= self.status < 300

    @property
    def is_stream(self) -> bool:
        """Whether it is a stream of events."""
        return "text/event-stream" in self.headers.get("content-type", "").partition(";")[0]

    async def read(self) -> bytes:
        """The whole body. Raises AgentError when it is too long."""
        return await self._response.aread()

    async def events(self) -> AsyncIterator[tuple[str, str]]:
        """Name and data of each event; one that is cut off before its end is none."""
        from httpx_sse import EventSource

        async for event in EventSource(self._response).aiter_sse():
            yield event.event, event.data


class ApiClient:
    """Posts to one API. Every fault is an AgentError, retryable when the connection was at fault.

    Each request in flight has a client of its own, with one connection that is kept and used
    again: a pool that 32 share looks through all of them for each request, some 3 ms.
    """

    def __init__(
        self, target: Target, *, trust_env: bool = False, limit: int = ANSWER_LIMIT
    ) -> None:
        self._target = target
        scheme = "https" if target.is_tls else "http"
        self._origin = f"{scheme}://{target.host_header}"
        self._trust_env = trust_env
        self._limit = limit
        self._idle: list[httpx.AsyncClient] = []

    async def prepare(self, on_wait: OnWait | None = None) -> None:
        """Load what takes a tenth of a second once and is no part of an answer's latency; `on_wait`
        is told when that begins and when it ends."""
        if _LOADED.is_set():
            return
        with waiting_for_us(on_wait):
            await asyncio.to_thread(_load)

    @asynccontextmanager
    async def post(
        self,
        path: str,
        headers: Mapping[str, str],
        body: bytes,
        on_wait: OnWait | None = None,
    ) -> AsyncIterator[ApiAnswer]:
        """The answer while its body can be read. Cancelling drops the connection.

        `on_wait` is told of the time before it is sent, which has a limit of its own.
        """
        import httpx

        await self.prepare()
        client, response = await self._send(path, headers, body, on_wait)
        refusal: AgentError | None = None
        try:
            try:
                yield ApiAnswer(response)
            except AgentError as error:  # it says nothing of the connection
                refusal = error
            await response.aclose()
        except BaseException as error:
            # What was broken off may be what frees the connection for the next request.
            await client.aclose()
            if isinstance(error, httpx.HTTPError):
                raise self._fault(error) from error
            raise
        self._idle.append(client)
        if refusal is not None:
            raise refusal

    async def close(self) -> None:
        clients, self._idle = self._idle, []
        for client in clients:
            await client.aclose()
        await asyncio.sleep(0)  # lets the transports release their sockets

    async def _send(
        self, path: str, headers: Mapping[str, str], body: bytes, on_wait: OnWait | None
    ) -> "tuple[httpx.AsyncClient, httpx.Response]":
        """Written once. A kept connection that is found closed before that is replaced by the
        library; a server that took the request and closed without an answer may have carried it
        out: sending it again is for whoever counts requests. One that gave a kept connection up
        says that it took none: that is asked again over a new one."""
        if self._idle:
            client = self._idle.pop()
            response = await self._ask(client, path, headers, body, on_wait)
            if response.status_code != GAVE_UP or response.headers.get("connection") != "close":
                return client, response
            await client.aclose()
        client = self._new_client()
        return client, await self._ask(client, path, headers, body, on_wait)

    async def _ask(
        self,
        client: "httpx.AsyncClient",
        path: str,
        headers: Mapping[str, str],
        body: bytes,
        on_wait: OnWait | None,
    ) -> "httpx.Response":
        import httpx

        from evaltui.net.limited_stream import limit_body

        connecting = ExitStack()

        async def follow(step: str, _: Mapping[str, object]) -> None:
            if step == SENDING:
                connecting.close()

        request = client.build_request(
            "POST",
            f"{self._origin}{path}",
            content=body,
            headers=dict(headers),
            extensions={"trace": follow},
        )
        try:
            with connecting:
                connecting.enter_context(waiting_for_us(on_wait))
                response = await client.send(request, stream=True)
            limit_body(response, self._limit)
        except httpx.HTTPError as error:
            await client.aclose()
            raise self._fault(error) from error
        except BaseException:
            await client.aclose()
            raise
        return response

    def _new_client(self) -> "httpx.AsyncClient":
        return make_client(trust_env=self._trust_env, connections=1)

    def _fault(self, error: "httpx.HTTPError") -> AgentError:
        import httpx

        why = str(error) or type(error).__name__
        if isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout):
            return unanswered(self._target)
        if isinstance(error, httpx.ProxyError):
            return AgentError(f"the proxy refused: {why}. Check the proxy.", retryable=True)
        if isinstance(error, httpx.ConnectError):
            return unreachable(self._target, _cause(error))
        if isinstance(error, httpx.LocalProtocolError | httpx.UnsupportedProtocol):
            return AgentError(f"the request cannot be sent: {why}.")
        return AgentError(
            f"the connection was dropped: {why}. Check the network and the server.", retryable=True
        )


def _load() -> None:
    import httpx
    import httpx_sse

    from evaltui.net import watched_transport

    del httpx, httpx_sse, watched_transport
    tls_context()
    for name in ("httpx", "httpcore"):  # they would log addresses and headers, secrets included
        logging.getLogger(name).setLevel(logging.WARNING)
    _LOADED.set()


def _cause(error: BaseException) -> OSError:
    """The fault of the operating system or of TLS below the layers of the client."""
    found = [each for each in _below(error) if isinstance(each, OSError)]
    named = [each for each in found if type(each) is not OSError]
    return (named or found or [OSError(str(error))])[0]


def _below(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):
            for inner in error.exceptions:
                yield from _below(inner)
        error = error.__cause__ or error.__context__
