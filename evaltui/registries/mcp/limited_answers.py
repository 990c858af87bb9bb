"""Answers of MCP servers up to a limit; apart from its only user as it needs the SDK's httpx."""

from collections.abc import AsyncIterator

import httpx2

from evaltui.core.errors import AgentError
from evaltui.net import ANSWER_LIMIT
from evaltui.net.limited_body import limited
from evaltui.net.unpacking import ENCODINGS, Unpacker

_NO_LIMIT = 2**62


def make_client(
    headers: dict[str, str] | None = None,
    timeout: httpx2.Timeout | None = None,
    auth: httpx2.Auth | None = None,
) -> httpx2.AsyncClient:
    """Takes what the SDK gives to a factory of clients."""
    return httpx2.AsyncClient(
        headers={"Accept-Encoding": ENCODINGS, **(headers or {})},
        timeout=timeout,
        auth=auth,
        event_hooks={"response": [_limit]},
    )


async def _limit(response: httpx2.Response) -> None:
    """A stream of events has no end, and the SDK limits each of them itself."""
    is_stream = response.headers.get("content-type", "").lower().startswith("text/event-stream")
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    try:
        unpacker = Unpacker(response.headers.pop("content-encoding", ""))
    except AgentError as error:
        raise _fault(error) from None
    response.stream = _LimitedStream(
        response.stream, unpacker, _NO_LIMIT if is_stream else ANSWER_LIMIT
    )


class _LimitedStream(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, unpacker: Unpacker, limit: int) -> None:
        self._stream, self._unpacker, self._limit = stream, unpacker, limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for piece in limited(self._stream, self._unpacker, self._limit):
                yield piece
        except AgentError as error:
            raise _fault(error) from None

    async def aclose(self) -> None:
        await self._stream.aclose()


def _fault(error: AgentError) -> httpx2.StreamError:
    """As the SDK understands it."""
    return httpx2.StreamError(str(error))
