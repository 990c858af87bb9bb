"""Connections that know whether an answer ended where its bytes did; apart as it needs httpcore.

A server that says more than it was asked for would have its second answer taken for the next
request's. The library does not look behind an answer's end, but asks whether something is to be
read before it uses a connection again: one with bytes left over says so.
"""

import ssl
from collections.abc import Iterable
from typing import Any

import httpcore
from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser


class AnswerEnd:
    """Follows the bytes of one answer."""

    def __init__(self) -> None:
        self._parser = HttpResponseParser(self)
        self._is_complete = self._is_passed = False

    @property
    def is_reached(self) -> bool:
        """Whether it is complete, and nothing came behind it."""
        return self._is_complete and not self._is_passed

    def feed(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except (HttpParserError, HttpParserUpgrade):
            self._is_passed = True

    # httptools callbacks

    def on_message_begin(self) -> None:
        self._is_passed |= self._is_complete

    def on_message_complete(self) -> None:
        self._is_complete |= self._parser.get_status_code() >= 200


class WatchedStream(httpcore.AsyncNetworkStream):
    """A stream that is readable, as far as `get_extra_info` tells, unless an answer has just ended
    and nothing is left over."""

    def __init__(self, stream: httpcore.AsyncNetworkStream) -> None:
        self._stream = stream
        self._end = AnswerEnd()

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        data = await self._stream.read(max_bytes, timeout)
        self._end.feed(data)
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        if self._end.is_reached:
            self._end = AnswerEnd()
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> httpcore.AsyncNetworkStream:
        return WatchedStream(await self._stream.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable" and (not self._end.is_reached or self._has_more_decrypted()):
            return True
        return self._stream.get_extra_info(info)

    def _has_more_decrypted(self) -> bool:
        """Whether more came with the last bytes, where no socket tells of it any more."""
        tls: ssl.SSLObject | None = self._stream.get_extra_info("ssl_object")
        if tls is None:
            return False
        try:
            tls.read(1)
        except ssl.SSLWantReadError:
            return False
        except ssl.SSLError:
            return True  # the server said that it ends
        return True


class WatchedBackend(httpcore.AnyIOBackend):
    """Opens such connections."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        stream = await super().connect_tcp(host, port, timeout, local_address, socket_options)
        return WatchedStream(stream)
