"""Connections: kept, lost, cut, chunked, oversized, packed."""

import asyncio
import contextlib
import gzip
import itertools
import socket
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.agents.http.lean_client import HttpClient
from evaltui.agents.http.wire import Connection, WireError
from evaltui.core.errors import AgentError
from evaltui.net.target import parse_target
from tests.agents.requests import agent, ask, fault, request
from tests.agents.servers import Asked, always, answer, serving

BODY = b'{"response": "ok", "toolCalls": []}'


async def test_one_connection_carries_many_requests() -> None:
    async with serving(always(answer())) as server:
        asked = agent(server.url)
        for _ in range(20):
            await asked.respond(request())
        await asked.close()
    assert (len(server.asked), server.connections) == (20, 1)


async def test_as_many_connections_as_requests_in_flight() -> None:
    async with serving(always(answer())) as server:
        asked = agent(server.url)
        for _ in range(5):
            await asyncio.gather(*(asked.respond(request()) for _ in range(7)))
        await asked.close()
    assert (len(server.asked), server.connections) == (35, 7)


async def test_connection_close_is_obeyed() -> None:
    raw = answer(extra="Connection: close\r\n")
    async with serving(always(raw)) as server:
        asked = agent(server.url)
        for _ in range(3):
            await asked.respond(request())
        await asked.close()
    assert server.connections == 3


async def test_a_request_that_was_taken_is_not_sent_again_on_the_quiet() -> None:
    """The server takes it on a kept connection and closes: it may have carried it out."""

    async def close_on_second_use(asked: Asked, writer: asyncio.StreamWriter) -> bool:
        uses[asked.connection] = uses.get(asked.connection, 0) + 1
        if uses[asked.connection] == 2:
            return False
        writer.write(answer())
        return True

    uses: dict[int, int] = {}
    async with serving(close_on_second_use) as server:
        asked = agent(server.url)
        await asked.respond(request())
        with pytest.raises(AgentError, match="closed without an answer") as caught:
            await asked.respond(request())
        await asked.close()
    assert len(server.asked) == 2
    assert not caught.value.is_unpaid


async def test_a_kept_connection_that_was_closed_meanwhile_is_replaced_unused() -> None:
    """Also where the event loop has not told of its end yet."""
    loop = asyncio.get_running_loop()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        client = HttpClient(parse_target(f"http://127.0.0.1:{listener.getsockname()[1]}/"))

        async def answer_one() -> socket.socket:
            peer, _ = await loop.sock_accept(listener)
            assert await loop.sock_recv(peer, 100) == b"x"
            await loop.sock_sendall(peer, answer())
            return peer

        peers = []
        for _ in range(3):
            answering = asyncio.create_task(answer_one())
            assert (await client.send(b"x")).status == 200
            peers.append(await answering)
            peers[-1].close()
        await client.close()
    assert len(peers) == 3


async def test_a_fresh_connection_that_closes_is_an_error_and_not_retried() -> None:
    async with serving(always(b"", close=True)) as server:
        error = await fault(server.url)
    assert "closed without an answer" in error.what
    assert len(server.asked) == 1


async def test_a_kept_connection_that_drops_after_a_byte_is_not_retried() -> None:
    async def behave(asked: Asked, writer: asyncio.StreamWriter) -> bool:
        writer.write(answer() if asked.number == 0 else b"H")
        return asked.number == 0

    async with serving(behave) as server:
        asked = agent(server.url)
        await asked.respond(request())
        with pytest.raises(AgentError, match="dropped in the headers"):
            await asked.respond(request())
        await asked.close()
    assert len(server.asked) == 2


async def test_dropped_in_the_middle_of_the_body() -> None:
    async with serving(always(answer()[:-10], close=True)) as server:
        error = await fault(server.url)
    assert "dropped after" in error.what


async def test_chunked_cut_short_is_an_error() -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    whole = head + b"%x\r\n" % len(BODY) + BODY + b"\r\n"
    async with serving(always(whole, close=True)) as server:
        error = await fault(server.url)
    assert "dropped after" in error.what


async def test_body_until_the_end_of_the_connection() -> None:
    async with serving(always(b"HTTP/1.1 200 OK\r\n\r\n" + BODY, close=True)) as server:
        assert (await ask(server.url)).text == "ok"


async def test_http_1_0() -> None:
    raw = b"HTTP/1.0 200 OK\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY
    async with serving(always(raw, close=True)) as server:
        assert (await ask(server.url)).text == "ok"


async def test_interim_responses_are_passed_over() -> None:
    raw = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
    async with serving(always(raw + answer())) as server:
        asked = agent(server.url)
        for _ in range(2):
            assert (await asked.respond(request())).text == "It is sunny."
        await asked.close()
    assert server.connections == 1


async def test_a_server_that_changes_to_another_protocol_is_a_fault() -> None:
    raw = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"
    async with serving(always(raw + answer())) as server:
        with pytest.raises(AgentError, match=r"^the server changes to another protocol"):
            await ask(server.url)


async def test_rubbish_after_the_answer_costs_only_the_connection() -> None:
    async with serving(always(answer() + b"rubbish")) as server:
        asked = agent(server.url)
        for _ in range(3):
            assert (await asked.respond(request())).text == "It is sunny."
        await asked.close()
    assert server.connections == 3


async def test_an_answer_that_begins_behind_another_is_not_the_next_one() -> None:
    said = answer({"response": "more", "toolCalls": []})

    async def talkative(asked: Asked, writer: asyncio.StreamWriter) -> None:
        if asked.number and not asked.connection:
            writer.write(said[40:])
        writer.write(answer() + (b"" if asked.number else said[:40]))

    async with serving(talkative) as server:
        asked = agent(server.url)
        for _ in range(3):
            assert (await asked.respond(request())).text == "It is sunny."
        await asked.close()
    assert server.connections == 3, "whoever did so once is not trusted with a second request"


async def test_who_is_not_trusted_any_more_is_not_asked_on_another_open_connection_either() -> None:
    async def talkative(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(answer() + (b"" if asked.number < 2 else answer()[:40]))

    async with serving(talkative) as server:
        asked = agent(server.url)
        await asyncio.gather(asked.respond(request()), asked.respond(request()))
        assert server.connections == 2
        for _ in range(2):
            assert (await asked.respond(request())).text == "It is sunny."
        await asked.close()
    assert server.connections == 3


async def test_a_server_that_answers_twice_shifts_one_answer_at_most() -> None:
    """Where its second answer comes once the next request waits, nobody can tell them apart."""

    def numbered(asked: Asked) -> bytes:
        return answer({"response": str(asked.number), "toolCalls": []})

    async def late(asked: Asked, writer: asyncio.StreamWriter) -> None:
        before = kept.get(asked.connection, b"")
        kept[asked.connection] = numbered(asked)
        writer.write(before + numbered(asked))

    kept: dict[int, bytes] = {}
    async with serving(late) as server:
        asked = agent(server.url)
        said = [(await asked.respond(request())).text for _ in range(20)]
        await asked.close()
    assert said == ["0", "0", *map(str, range(2, 20))]
    assert server.connections == 1 + 18


@pytest.mark.parametrize(
    ("said", "is_answer"),
    [
        (answer(), True),
        (answer()[:20], True),
        (b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n", False),
        (b"\r\n", False),
    ],
)
async def test_a_connection_that_is_given_up_in_words_is_no_answer_twice(
    said: bytes, is_answer: bool
) -> None:
    told: list[bool] = []
    connection = Connection(10_000, lambda: told.append(True))
    connection.connection_made(_Sent())
    receive(connection, said)
    assert (bool(told), connection.is_idle) == (is_answer, False)


async def test_a_request_that_crosses_with_the_end_of_a_kept_connection_is_sent_anew() -> None:
    async def gives_up(asked: Asked, writer: asyncio.StreamWriter) -> bool:
        kept = asked.connection == 0 and asked.number == 1
        close = {"status": "408 Request Timeout", "extra": "Connection: close\r\n"}
        writer.write(answer(**close) if kept else answer())
        return not kept

    async with serving(gives_up) as server:
        asked = agent(server.url)
        for _ in range(3):
            assert (await asked.respond(request())).text == "It is sunny."
        await asked.close()
    assert (len(server.asked), server.connections) == (4, 2)


async def test_slow_trickle_is_read_to_the_end() -> None:
    async def trickle(_: Asked, writer: asyncio.StreamWriter) -> None:
        for byte in answer():
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0)

    async with serving(trickle) as server:
        assert (await ask(server.url)).text == "It is sunny."


async def test_announced_100_mb_are_not_read() -> None:
    sent = 0

    async def flood(__: Asked, writer: asyncio.StreamWriter) -> bool:
        nonlocal sent
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n")
        for _ in range(100):
            writer.write(b"x" * 1_048_576)
            await writer.drain()
            sent += 1
        return False

    async with serving(flood) as server:
        error = await fault(server.url)
    assert "104857600 bytes long, more than the 32 MiB" in error.what
    assert sent < 50


async def test_unannounced_flood_is_cut_at_the_limit() -> None:
    async def flood(__: Asked, writer: asyncio.StreamWriter) -> bool:
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            writer.write(b"10000\r\n" + b"x" * 65_536 + b"\r\n")
            await writer.drain()

    async with serving(flood) as server:
        error = await fault(server.url, max_answer_bytes=1_000_000)
    assert "longer than 1000000 bytes" in error.what


def _raw_deflate(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(body) + packer.flush()


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(BODY)),
        ("deflate", zlib.compress(BODY)),
        ("deflate", _raw_deflate(BODY)),
        ("identity", BODY),
    ],
    ids=["gzip", "deflate", "raw-deflate", "identity"],
)
async def test_packed_answers_that_nobody_asked_for(encoding: str, packed: bytes) -> None:
    raw = answer(packed, extra=f"Content-Encoding: {encoding}\r\n")
    async with serving(always(raw)) as server:
        assert (await ask(server.url)).text == "ok"


@pytest.mark.parametrize(
    ("encoding", "packed", "words"),
    [
        ("gzip", gzip.compress(BODY)[:-12], "damaged or cut off"),
        ("gzip", b"plain", "damaged or cut off"),
        ("br", b"x", "packed as `br`"),
        ("gzip", gzip.compress(b"x" * 10_000_000), "unpacks to more than"),
    ],
    ids=["cut-off", "not-packed", "unknown", "bomb"],
)
async def test_badly_packed_answers(encoding: str, packed: bytes, words: str) -> None:
    raw = answer(packed, extra=f"Content-Encoding: {encoding}\r\n")
    async with serving(always(raw)) as server:
        error = await fault(server.url, max_answer_bytes=1_000_000)
    assert words in error.what


async def test_ipv6() -> None:
    try:
        async with serving(always(answer()), host="::1") as server:
            assert (await ask(server.url)).text == "It is sunny."
    except OSError as error:
        pytest.skip(f"no IPv6 here: {error}")


async def test_a_flood_gives_way_to_whoever_ends_the_request() -> None:
    async def flood(_: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 2**20)

    heard: list[int] = []

    def hear(piece: bytes) -> None:
        if not heard:
            asyncio.get_running_loop().call_soon(task.cancel)
        heard.append(len(piece))

    async with serving(flood) as server:
        client = HttpClient(parse_target(server.url))
        task = asyncio.create_task(client.send(b"GET / HTTP/1.1\r\n\r\n", lambda *_: hear))
        with contextlib.suppress(asyncio.CancelledError):
            await task
        await client.close()
    assert 0 < sum(heard) < 2**16


class _Sent(asyncio.Transport):
    """A transport that only remembers whether it is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.closed = False

    def write(self, data: object) -> None: ...

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = True


def receive(connection: Connection, data: bytes) -> None:
    connection.get_buffer(-1)[: len(data)] = data
    connection.buffer_updated(len(data))


_CHUNKED = (
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: b\r\n\r\n"
    b"5\r\n" + BODY[:5] + b"\r\n" + b"%x;ext=1\r\n" % len(BODY[5:]) + BODY[5:] + b"\r\n0\r\n\r\n"
)


@given(cuts=st.lists(st.integers(1, len(_CHUNKED) - 1)), whole=st.sampled_from([_CHUNKED]))
def test_cut_anywhere_the_answer_is_the_same(cuts: list[int], whole: bytes) -> None:
    async def exchange() -> None:
        connection = Connection(10_000)
        connection.connection_made(_Sent())
        task = asyncio.create_task(connection.exchange(b"x"))
        await asyncio.sleep(0)
        edges = [0, *sorted(set(cuts)), len(whole)]
        for start, end in itertools.pairwise(edges):
            assert not task.done()
            receive(connection, whole[start:end])
        assert (await task).body == BODY
        assert connection.is_idle

    asyncio.run(exchange())


@given(rubbish=st.binary(max_size=200))
def test_rubbish_never_hangs_and_never_escapes(rubbish: bytes) -> None:
    async def exchange() -> None:
        connection = Connection(10_000)
        connection.connection_made(_Sent())
        task = asyncio.create_task(connection.exchange(b"x"))
        await asyncio.sleep(0)
        if rubbish:
            receive(connection, rubbish)
        connection.connection_lost(None)
        with contextlib.suppress(WireError):
            await asyncio.wait_for(task, 1)

    asyncio.run(exchange())
