"""Server-sent events of a run: its journal, from any place on, and what is added to it."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AbstractAsyncContextManager, ExitStack
from os import SEEK_END
from typing import BinaryIO

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from evaltui.api.held_run import HeldRun
from evaltui.core.case import CaseKey
from evaltui.core.events import (
    BaselineCompared,
    CaseFinished,
    CaseStarted,
    Event,
    EvidenceWeighed,
    ProblemFound,
    RunFinished,
    RunStarted,
    ToolCalled,
    TrialFinished,
    TurnFinished,
)
from evaltui.core.result import CaseResult
from evaltui.disk.codec import encode_event
from evaltui.disk.journal.journal_reading import event_of

STREAMED = (
    RunStarted,
    CaseStarted,
    TurnFinished,
    ToolCalled,
    TrialFinished,
    CaseFinished,
    BaselineCompared,
    EvidenceWeighed,
    RunFinished,
    ProblemFound,
)
STILL_THERE_S = 15.0
"""After so long a silence a comment is sent: proxies close connections on which nothing moves."""
_AT_ONCE = 4 << 20
_NO_RESULTS: dict[CaseKey, CaseResult] = {}


class EventResponse(StreamingResponse):
    """What gives the events is entered when they are sent, and left whatever becomes of that: a
    generator that nobody began to read would close nothing."""

    def __init__(self, events: AbstractAsyncContextManager[AsyncIterator[bytes]]) -> None:
        super().__init__((), media_type="text/event-stream")
        self._events = events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._events as self.body_iterator:
            await super().__call__(scope, receive, send)


async def stream_of(
    file: BinaryIO, held: HeldRun | None, offset: int
) -> AsyncGenerator[bytes, None]:
    """Of a run that is on here until its end, of another what is recorded of it.

    The id of each event is the place in the journal behind it: whoever lost the connection goes on
    from the last one (`Last-Event-ID`). From a place that it does not have, all of it is told.
    Whoever opened `file` closes it.
    """
    with ExitStack() as open_:
        offset = offset if offset <= file.seek(0, SEEK_END) else 0
        heard = open_.enter_context(held.listening()) if held is not None else None
        while True:
            is_over = held is None or held.is_over
            if heard is not None and held is not None:
                heard.clear()
                held.flush()
            async for place, event in _new(file, offset):
                offset = place
                if isinstance(event, STREAMED):
                    yield _as_server_sent_event(event, place)
                    await asyncio.sleep(0)  # else nobody hears that the client has left
                    is_over = is_over or isinstance(event, RunFinished)
            if is_over or heard is None:
                return
            try:
                await asyncio.wait_for(heard.wait(), STILL_THERE_S)
            except TimeoutError:
                yield b": still there\n\n"


async def _new(file: BinaryIO, offset: int) -> AsyncIterator[tuple[int, Event | None]]:
    """Whole lines behind `offset`, each with the place behind it."""
    while True:
        file.seek(offset)
        read = await asyncio.to_thread(file.read, _AT_ONCE)
        whole = read.rfind(b"\n") + 1
        if not whole and len(read) == _AT_ONCE:  # one line that long
            read += await asyncio.to_thread(file.readline)
            whole = len(read) if read.endswith(b"\n") else 0
        if not whole:
            return
        for line in read[:whole].removesuffix(b"\n").split(b"\n"):
            offset += len(line) + 1
            yield offset, _event(line)


def _event(line: bytes) -> Event | None:
    try:
        return event_of(line, _NO_RESULTS)
    except (ValueError, RecursionError):
        return None


def _as_server_sent_event(event: Event, place: int) -> bytes:
    name = type(event).__name__.encode()
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (place, name, encode_event(event))
