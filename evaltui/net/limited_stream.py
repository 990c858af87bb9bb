"""A response body, unpacked and up to a limit; apart from its only user as it needs httpx."""

import asyncio
from collections.abc import AsyncIterator
from time import monotonic

import httpx

from evaltui.core.errors import AgentError
from evaltui.net.unpacking import Unpacker

_PIECE = 8 * 1024
"""Bytes that are passed on at once."""
_TURN_S = 0.02
"""After this, time limits are looked at, though a server goes on sending."""


def limit_body(response: httpx.Response, limit: int) -> None:
    """Have the body unpacked here, where the library would unpack any number of bytes at once.

    Whoever reads it hears an AgentError for more than `limit` bytes, packed or not. Raises one for
    an encoding that is not read.
    """
    assert isinstance(response.stream, httpx.AsyncByteStream)
    unpacker = Unpacker(response.headers.pop("content-encoding", ""))
    response.stream = _LimitedStream(response.stream, unpacker, limit)


class _LimitedStream(httpx.AsyncByteStream):
    """Passes bytes on as they come in, and never keeps others from their turn."""

    def __init__(self, stream: httpx.AsyncByteStream, unpacker: Unpacker, limit: int) -> None:
        self._stream, self._unpacker = stream, unpacker
        self._limit = limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        packed_left = left = self._limit
        turn_ends = monotonic() + _TURN_S
        async for packed in self._stream:
            piece = self._unpacker.feed(packed, left)
            packed_left -= len(packed)
            left -= len(piece)
            if left < 0 or packed_left < 0:
                raise AgentError(
                    f"the answer is longer than the {self._limit / 2**20:g} MiB that are read. "
                    "Answer less.",
                    category="contract_violation",
                )
            for start in range(0, max(1, len(piece)), _PIECE):
                yield piece[start : start + _PIECE]
                if monotonic() >= turn_ends:
                    await asyncio.sleep(0)
                    turn_ends = monotonic() + _TURN_S
        self._unpacker.end()

    async def aclose(self) -> None:
        await self._stream.aclose()
