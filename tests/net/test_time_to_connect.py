"""Until a request is sent the limit of its case does not run: a server that cannot be reached is no
slow agent."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

import pytest

from evaltui.agents.http.lean_client import HttpClient
from evaltui.core.errors import AgentError
from evaltui.core.on_wait import OnWait
from evaltui.net.api_client import ApiClient
from evaltui.net.target import parse_target
from tests.agents.servers import Asked, answer, serving

Ask = Callable[[str, OnWait], Awaitable[None]]


async def over_httpx(url: str, on_wait: OnWait) -> None:
    client = ApiClient(parse_target(url))
    try:
        for _ in range(2):
            async with client.post("/x", {}, b"{}", on_wait) as got:
                await got.read()
    finally:
        await client.close()


async def over_lean_client(url: str, on_wait: OnWait) -> None:
    client = HttpClient(parse_target(url))
    try:
        for _ in range(2):
            request = b"POST /x HTTP/1.1\r\nHost: here\r\nContent-Length: 0\r\n\r\n"
            await client.send(request, on_wait=on_wait)
    finally:
        await client.close()


@pytest.mark.parametrize("ask", [over_httpx, over_lean_client])
async def test_it_runs_from_when_the_request_is_sent(ask: Ask) -> None:
    waits: list[bool] = []

    async def look(_: Asked, writer: asyncio.StreamWriter) -> None:
        assert waits[:2] == [True, False], "when it arrives"
        writer.write(answer())

    async with serving(look) as server:
        await ask(server.url, waits.append)
        assert len(server.asked) == 2
    assert waits == [True, False] * (len(waits) // 2)


@pytest.mark.parametrize("ask", [over_httpx, over_lean_client])
async def test_connecting_has_a_limit_of_its_own(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("net.connecting", "net.api_client", "agents.http.lean_client"):
        monkeypatch.setattr(f"evaltui.{module}.CONNECT_S", 0.02)
    waits: list[bool] = []

    is_over = asyncio.Event()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            await reader.read()
        writer.close()
        is_over.set()

    server = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(AgentError, match="nothing within") as caught:
            await ask(f"https://127.0.0.1:{port}", waits.append)
        await is_over.wait()
    assert waits == [True, False]
    assert (caught.value.retryable, caught.value.is_unpaid) == (True, True)
