"""httpx's way to a server over connections that are used again only where no byte is left over."""

import ssl
from collections.abc import AsyncIterable, AsyncIterator, Iterator
from contextlib import contextmanager

import httpcore
import httpx

from evaltui.net.watched_stream import WatchedBackend

_FAULTS = (
    httpcore.TimeoutException,
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.ProxyError,
    httpcore.UnsupportedProtocol,
)


class WatchedTransport(httpx.AsyncBaseTransport):
    """As `httpx.AsyncHTTPTransport`, which takes nobody else's connections, but without proxies."""

    def __init__(self, tls: ssl.SSLContext, connections: int | None, keep_s: float) -> None:
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=tls,
            max_connections=connections,
            max_keepalive_connections=connections,
            keepalive_expiry=keep_s,
            network_backend=WatchedBackend(),
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        sent = httpcore.Request(
            method=request.method,
            url=httpcore.URL(
                scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
            ),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        with _faults_of_httpx():
            answer = await self._pool.handle_async_request(sent)
        assert isinstance(answer.stream, AsyncIterable)
        return httpx.Response(
            status_code=answer.status,
            headers=answer.headers,
            stream=_Body(answer),
            extensions=answer.extensions,
        )

    async def aclose(self) -> None:
        await self._pool.aclose()


class _Body(httpx.AsyncByteStream):
    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _faults_of_httpx():
            async for piece in self._answer.aiter_stream():
                yield piece

    async def aclose(self) -> None:
        await self._answer.aclose()


@contextmanager
def _faults_of_httpx() -> Iterator[None]:
    """Each fault of httpcore has its namesake there."""
    try:
        yield
    except _FAULTS as error:
        raise getattr(httpx, type(error).__name__)(str(error)) from error
