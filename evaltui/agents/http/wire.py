"""One HTTP/1.1 connection: a request goes out, one whole response or a clear fault comes back."""

import asyncio
import select
from collections.abc import Callable
from typing import TypeAlias, cast

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser
from msgspec import Struct

from evaltui.net import GAVE_UP

BodySink: TypeAlias = Callable[[bytes], None]
OnHead: TypeAlias = Callable[[int, dict[bytes, bytes]], BodySink | None]
"""Given status and headers, chooses who hears the body piece by piece; `None` to collect it."""
_ANSWER = b"HTTP/"
_GAVE_UP = b" %d" % GAVE_UP
_PIECE = 8 * 1024
"""Bytes that are read at once: between two pieces, time limits are looked at."""


class WireResponse(Struct, frozen=True):
    """A complete response; header names are lower case, `body` is still content-encoded."""

    status: int
    headers: dict[bytes, bytes]
    body: bytes


class WireError(Exception):
    """No complete response."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class TooLarge(WireError):
    """The body grew, or was announced, beyond the limit."""


class Connection(asyncio.BufferedProtocol):
    """A keep-alive connection that carries one request at a time."""

    def __init__(self, limit: int, on_unasked: Callable[[], None] | None = None) -> None:
        """`on_unasked` hears that an answer came, or began, that nobody had asked for."""
        self._limit = limit
        self._on_unasked = on_unasked
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._poll: select.poll | None = None
        self._parser = HttpResponseParser(self)
        self._buffer = memoryview(bytearray(_PIECE))
        self._waiter: asyncio.Future[WireResponse] | None = None
        self._on_head: OnHead | None = None
        self._is_reusable = False
        self._clear()

    @property
    def is_idle(self) -> bool:
        """Open, and the last response allows another request."""
        transport = self._transport
        return self._is_reusable and transport is not None and not transport.is_closing()

    def was_heard_from(self) -> bool:
        """Whether something arrived that was not read yet: while nothing is asked, its end."""
        assert self._transport is not None
        number = self._transport.get_extra_info("socket").fileno()
        if not hasattr(select, "poll"):  # Windows
            return bool(select.select([number], [], [], 0)[0])
        if self._poll is None:  # the same socket as long as it is open
            self._poll = select.poll()
            self._poll.register(number, select.POLLIN)
        return bool(self._poll.poll(0))

    async def exchange(self, request: bytes, on_head: OnHead | None = None) -> WireResponse:
        """Send `request` and wait for its response.

        Raises WireError, or what `on_head` and its sink raise. Cancelling drops the connection.
        """
        transport = self._transport
        if transport is None or transport.is_closing():
            raise WireError("the connection was closed")
        self._clear()
        self._on_head = on_head
        self._is_reusable = False
        waiter: asyncio.Future[WireResponse] = self._loop.create_future()
        self._waiter = waiter
        transport.write(request)
        try:
            return await waiter
        except BaseException:
            self.abort()
            raise

    def abort(self) -> None:
        """Drop the connection at once, unsent data included."""
        self._waiter = None
        self._is_reusable = False
        if self._transport is not None:
            self._transport.abort()

    def _hear_unasked(self, said: bytes | memoryview) -> None:
        """The connection cannot be trusted any more: this is not the next request's answer."""
        self.abort()
        # A server that gives a kept connection up may say so.
        if self._on_unasked is not None and said[:5] == _ANSWER and said[8:12] != _GAVE_UP:
            self._on_unasked()

    def _clear(self) -> None:
        self._headers: dict[bytes, bytes] = {}
        self._pieces: list[bytes] = []
        self._size = 0
        self._status = 0
        self._sink: BodySink | None = None
        self._is_touched = False

    def _fail(self, error: Exception) -> None:
        waiter, self._waiter = self._waiter, None
        self._is_reusable = False
        if self._transport is not None:
            self._transport.abort()
        if waiter is not None and not waiter.done():
            waiter.set_exception(error)

    # asyncio.BufferedProtocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._is_reusable = True

    def get_buffer(self, _sizehint: int) -> memoryview:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        if self._waiter is None:
            self._hear_unasked(self._buffer[:nbytes])
            return
        self._is_touched = True
        try:
            self._parser.feed_data(self._buffer[:nbytes])
        except HttpParserError as error:
            # After a complete message nothing waits any more: only the connection is spoilt.
            self._fail(WireError(f"the answer is not HTTP/1.1 ({error})"))
        except HttpParserUpgrade:
            self._fail(WireError("the server changes to another protocol, which nobody asked for"))

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_reusable = False
        if self._waiter is None:
            return
        if exc is None and self._status and not self._has_length():
            self._finish()  # the end of the connection is the end of the body
        elif not self._is_touched:
            why = f": {exc}" if exc else ""
            self._fail(WireError(f"the connection was closed without an answer{why}"))
        else:
            where = f"after {self._size} bytes of the body" if self._status else "in the headers"
            self._fail(WireError(f"the connection was dropped {where}"))

    # httptools callbacks: what they raise comes back wrapped, so faults go to `_fail`

    def on_message_begin(self) -> None:
        if self._waiter is None:
            self._hear_unasked(_ANSWER)  # behind the answer begins another

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers[name.lower()] = value

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if status < 200:
            return
        self._status = status
        announced = self._headers.get(b"content-length", b"")
        if announced.isdigit() and len(announced) < 20 and int(announced) > self._limit:
            self._fail(TooLarge(f"the answer is {int(announced)} bytes long"))
        elif self._on_head is not None:
            try:
                self._sink = self._on_head(status, self._headers)
            except Exception as error:
                self._fail(error)

    def on_body(self, body: bytes) -> None:
        if self._waiter is None:
            return
        self._size += len(body)
        if self._size > self._limit:
            self._fail(TooLarge(f"the answer is longer than {self._limit} bytes"))
        elif self._sink is None:
            self._pieces.append(body)
        else:
            try:
                self._sink(body)
            except Exception as error:
                self._fail(error)

    def on_message_complete(self) -> None:
        if self._status == 0:  # an interim 1xx response: the real one follows
            self._headers = {}
        elif self._waiter is not None:
            self._is_reusable = self._parser.should_keep_alive()
            self._finish()

    def _has_length(self) -> bool:
        return b"content-length" in self._headers or b"transfer-encoding" in self._headers

    def _finish(self) -> None:
        waiter, self._waiter = self._waiter, None
        pieces = self._pieces
        body = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        if not self._is_reusable and self._transport is not None:
            self._transport.close()
        if waiter is not None and not waiter.done():
            waiter.set_result(WireResponse(self._status, self._headers, body))
