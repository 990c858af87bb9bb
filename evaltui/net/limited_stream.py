"""A response body of httpx, unpacked and up to a limit; apart from its users as it needs httpx."""

from collections.abc import AsyncIterator

import httpx

from evaltui.net.limited_body import limited
from evaltui.net.unpacking import Unpacker


def limit_body(response: httpx.Response, limit: int) -> None:
    """Have the body unpacked here, where the library would unpack any number of bytes at once.

    Whoever reads it hears an AgentError for more than `limit` bytes, packed or not. Raises one for
    an encoding that is not read.
    """
    assert isinstance(response.stream, httpx.AsyncByteStream)
    unpacker = Unpacker(response.headers.pop("content-encoding", ""))
    response.stream = _LimitedStream(response.stream, unpacker, limit)


class _LimitedStream(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.AsyncByteStream, unpacker: Unpacker, limit: int) -> None:
        self._stream = stream
        self._pieces = limited(stream, unpacker, limit)

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._pieces

    async def aclose(self) -> None:
        await self._stream.aclose()
