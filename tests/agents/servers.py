"""Real servers that behave, or misbehave, one raw answer at a time."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Asked:
    """One request as it arrived."""

    line: str
    headers: dict[str, str]
    body: bytes
    number: int
    """0-based over the whole server."""
    connection: int
    """0-based number of the connection it came on."""

    @property
    def json(self) -> Any:
        return json.loads(self.body)


Behaviour = Callable[[Asked, asyncio.StreamWriter], Awaitable[bool | None]]
"""Answers one request; `False` closes the connection afterwards."""


@dataclass
class Server:
    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    connections: int = 0
    open_now: int = 0


@contextlib.asynccontextmanager
async def serving(behaviour: Behaviour, host: str = "127.0.0.1") -> AsyncIterator[Server]:
    """A server on a free port that hands every request to `behaviour`."""
    state = Server()
    tasks: set[asyncio.Task[None]] = set()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        number, state.connections = state.connections, state.connections + 1
        state.open_now += 1
        try:
            while True:
                asked = await _read(reader, number)
                asked.number = len(state.asked)
                state.asked.append(asked)
                if await behaviour(asked, writer) is False:
                    break
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        except asyncio.CancelledError:
            pass
        finally:
            state.open_now -= 1
            tasks.discard(task)
            writer.close()

    server = await asyncio.start_server(talk, host, 0)
    port = server.sockets[0].getsockname()[1]
    place = f"[{host}]" if ":" in host else host
    state.url = f"http://{place}:{port}/chat"
    try:
        yield state
    finally:
        server.close()
        for task in tuple(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0)


async def _read(reader: asyncio.StreamReader, connection: int) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    line, *rest = head.strip().split("\r\n")
    headers = {k.lower(): v.strip() for k, _, v in (row.partition(":") for row in rest)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Asked(line, headers, body, 0, connection)


def answer(
    value: Any = None, *, status: str = "200 OK", kind: str = "application/json", extra: str = ""
) -> bytes:
    """A whole response; `value` is JSON, text or bytes."""
    if value is None:
        value = GOOD
    body = value if isinstance(value, bytes) else _text(value).encode()
    return (
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{extra}Content-Length: {len(body)}\r\n\r\n"
    ).encode() + body


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


GOOD = {
    "response": "It is sunny.",
    "toolCalls": [
        {"name": "get_weather", "success": True, "durationMs": 3, "params": {"city": "Paris"}}
    ],
}


def always(raw: bytes, *, close: bool = False) -> Behaviour:
    """The same bytes for every request."""

    async def behave(_: Asked, writer: asyncio.StreamWriter) -> bool:
        writer.write(raw)
        return not close

    return behave
