"""A response body with a size limit; separate from its only user because it needs httpx loaded."""

from collections.abc import AsyncIterator

import httpx

from evaltui.core.errors import AgentError


class LimitedStream(httpx.AsyncByteStream):
    """Passes bytes on as they come in. Raises AgentError for more than `limit` of them."""

    def __init__(self, stream: httpx.AsyncByteStream, limit: int) -> None:
        self._stream = stream
        self._limit = limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for piece in self._stream:
            size += len(piece)
            check_size(size, self._limit)
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


def check_size(size: int, limit: int) -> None:
    """Raises AgentError for more than `limit` bytes."""
    if size > limit:
        raise AgentError(
            f"the answer is longer than the {limit / 2**20:g} MiB that are read. Answer less.",
            category="contract_violation",
        )
