"""Answers of MCP servers end, however much a server sends."""

import gzip

import httpx2
import pytest

from evaltui.net import ANSWER_LIMIT
from evaltui.registries.mcp.limited_answers import make_client
from tests.agents.servers import always, answer, serving

BOMB = gzip.compress(b" " * (ANSWER_LIMIT + 1))
PACKED = "Content-Encoding: gzip\r\n"


async def read(raw: bytes) -> bytes:
    async with serving(always(raw)) as server, make_client({"X-A": "b"}) as client:
        body = (await client.get(server.url)).content
        assert server.asked[0].headers["x-a"] == "b"
        return body


async def test_an_answer_is_unpacked() -> None:
    assert await read(answer(gzip.compress(b"fine"), extra=PACKED)) == b"fine"


async def test_an_answer_is_read_up_to_a_limit() -> None:
    with pytest.raises(httpx2.StreamError, match="longer than the 32 MiB"):
        await read(answer(BOMB, extra=PACKED))


async def test_an_answer_that_is_packed_twice_is_refused() -> None:
    with pytest.raises(httpx2.StreamError, match="packed as `gzip, gzip`"):
        await read(answer(gzip.compress(BOMB), extra="Content-Encoding: gzip, gzip\r\n"))


async def test_a_stream_of_events_has_no_limit() -> None:
    body = await read(answer(BOMB, kind="text/event-stream", extra=PACKED))
    assert len(body) > ANSWER_LIMIT
