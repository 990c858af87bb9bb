"""How requests reach a model API: the lean client, or httpx where a proxy must be gone through."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from evaltui.agents.http.lean_client import HttpClient
from evaltui.agents.http.wire import OnHead, WireResponse
from evaltui.core.errors import AgentError
from evaltui.net.target import Target

if TYPE_CHECKING:
    import httpx


class Transport(Protocol):
    """Posts one request. Faults are AgentErrors, retryable when the connection was at fault."""

    def prepare(self) -> None:
        """Do what takes time once and is no part of an answer's latency."""
        ...

    async def post(
        self, path: str, headers: Mapping[str, str], body: bytes, on_head: OnHead
    ) -> WireResponse: ...

    async def close(self) -> None: ...


class DirectTransport:
    """Keep-alive connections straight to the API, as many as requests are in flight."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._client = HttpClient(target)

    def prepare(self) -> None:
        """Connections are made as they are needed."""

    async def post(
        self, path: str, headers: Mapping[str, str], body: bytes, on_head: OnHead
    ) -> WireResponse:
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {self._target.host_header}\r\n"
            f"{lines}Content-Length: {len(body)}\r\n\r\n"
        )
        return await self._client.send(head.encode("latin-1") + body, on_head)

    async def close(self) -> None:
        await self._client.close()


class EnvironmentTransport:
    """httpx, which knows proxies and certificates of the environment (`trust_env = true`)."""

    def __init__(self, target: Target) -> None:
        scheme = "https" if target.is_tls else "http"
        self._origin = f"{scheme}://{target.host_header}"
        self._client: httpx.AsyncClient | None = None

    def prepare(self) -> None:
        self._ready()

    def _ready(self) -> "httpx.AsyncClient":
        if self._client is None:
            import httpx

            self._client = httpx.AsyncClient(
                trust_env=True,
                timeout=None,  # the model's own limit and the runner's hold
                limits=httpx.Limits(max_connections=None, max_keepalive_connections=None),
            )
        return self._client

    async def post(
        self, path: str, headers: Mapping[str, str], body: bytes, on_head: OnHead
    ) -> WireResponse:
        import httpx

        client = self._ready()
        url = f"{self._origin}{path}"
        try:
            async with client.stream("POST", url, content=body, headers=dict(headers)) as answer:
                found = {name.lower(): value for name, value in answer.headers.raw}
                sink = on_head(answer.status_code, found)
                if sink is None:
                    whole = await answer.aread()
                    found.pop(b"content-encoding", None)
                    return WireResponse(answer.status_code, found, whole)
                async for piece in answer.aiter_bytes():
                    sink(piece)
                return WireResponse(answer.status_code, found, b"")
        except httpx.HTTPError as error:
            why = str(error) or type(error).__name__
            raise AgentError(
                f"the connection failed: {why}. Check the network and the proxy.", retryable=True
            ) from error

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None
            await asyncio.sleep(0)


def make_transport(target: Target, *, trust_env: bool) -> Transport:
    return EnvironmentTransport(target) if trust_env else DirectTransport(target)
