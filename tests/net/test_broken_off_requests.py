"""A request that is broken off at any moment leaves nothing behind that a later one waits for."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from evaltui.core.errors import AgentError
from evaltui.net.api_client import ApiClient
from evaltui.net.target import parse_target
from tests.agents.servers import always, answer, serving

LIMIT_S = 10.0
MOST_TURNS = 200
EVENTS = answer("data: 1\n\ndata: 2\n\n", extra="Content-Type: text/event-stream\r\n")


async def read(client: ApiClient) -> None:
    async with client.post("/x", {}, b"{}") as got:
        await got.read()


async def listen(client: ApiClient) -> None:
    async with client.post("/x", {}, b"{}") as got:
        assert [data async for _, data in got.events()] == ["1", "2"]


async def refuse(client: ApiClient) -> None:
    async with client.post("/x", {}, b"{}") as got:
        await got.read()
        raise AgentError("refused")


@pytest.mark.parametrize("ask", [read, listen, refuse])
@pytest.mark.parametrize("trust_env", [False, True])
async def test_the_next_one_is_sent(
    ask: Callable[[ApiClient], Coroutine[Any, Any, None]], trust_env: bool
) -> None:
    async with serving(always(EVENTS)) as server:
        client = ApiClient(parse_target(server.url), trust_env=trust_env)
        await read(client)
        is_over = False
        for turns in range(MOST_TURNS):
            broken_off = asyncio.create_task(ask(client))
            for _ in range(turns):
                await asyncio.sleep(0)
            is_over = broken_off.done()
            broken_off.cancel()
            await asyncio.gather(broken_off, return_exceptions=True)
            async with asyncio.timeout(LIMIT_S):
                await read(client)
            if is_over:
                break
        assert is_over, "each moment of a request was tried"
        await client.close()
