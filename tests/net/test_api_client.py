"""Requests over httpx: connections are kept, faults are worded, nothing is endless or logged."""

import asyncio
import contextlib
import gzip
import logging
import shutil
import socket
import ssl
import subprocess
import zlib
from pathlib import Path

import pytest

from evaltui.core.errors import AgentError
from evaltui.net import api_client
from evaltui.net.api_client import ApiClient
from evaltui.net.target import parse_target
from tests.agents.servers import Asked, always, answer, serving

HEADERS = {"X-Key": "k3y-planted", "Content-Type": "application/json"}


def client_of(url: str, limit: int = 10_000) -> ApiClient:
    return ApiClient(parse_target(url), limit=limit)


async def ask(client: ApiClient, path: str = "/x") -> bytes:
    async with client.post(path, HEADERS, b"{}") as got:
        return await got.read()


async def fault(url: str) -> AgentError:
    client = client_of(url)
    with pytest.raises(AgentError) as caught:
        await ask(client)
    await client.close()
    return caught.value


async def test_status_headers_and_body() -> None:
    async with serving(always(answer("no", status="404 Not Found", extra="X-A: 1\r\n"))) as server:
        client = client_of(server.url)
        async with client.post("/x?y=1", HEADERS, b"{}") as got:
            assert (got.status, got.is_refused, got.is_stream) == (404, True, False)
            assert got.headers["x-a"] == "1"
            assert await got.read() == b"no"
        await client.close()
    (asked,) = server.asked
    assert (asked.line, asked.body) == ("POST /x?y=1 HTTP/1.1", b"{}")
    assert asked.headers["x-key"] == "k3y-planted"


async def test_one_after_the_other_share_a_connection_and_those_at_once_do_not() -> None:
    async with serving(always(answer())) as server:
        client = client_of(server.url)
        for _ in range(3):
            await ask(client)
        assert server.connections == 1
        await asyncio.gather(*(ask(client) for _ in range(4)))
        assert server.connections == 4
        await asyncio.gather(*(ask(client) for _ in range(4)))
        assert server.connections == 4
        await client.close()


@pytest.mark.parametrize("said", [answer("more"), answer("more")[:40], b"rubbish"])
async def test_what_is_said_behind_an_answer_is_not_the_next_one(said: bytes) -> None:
    rest = answer("more").removeprefix(said)

    async def talkative(asked: Asked, writer: asyncio.StreamWriter) -> None:
        if asked.number and not asked.connection:
            writer.write(rest)
        writer.write(answer(str(asked.number)) + (b"" if asked.number else said))

    async with serving(talkative) as server:
        client = client_of(server.url)
        for number in range(3):
            assert await ask(client) == str(number).encode()
        await client.close()
    assert server.connections == 2


async def test_a_request_that_crosses_with_the_end_of_a_kept_connection_is_sent_anew() -> None:
    async def gives_up(asked: Asked, writer: asyncio.StreamWriter) -> bool:
        kept = asked.connection == 0 and asked.number == 1
        close = {"status": "408 Request Timeout", "extra": "Connection: close\r\n"}
        writer.write(answer(**close) if kept else answer("ok"))
        return not kept

    async with serving(gives_up) as server:
        client = client_of(server.url)
        for _ in range(3):
            assert await ask(client) == b"ok"
        await client.close()
    assert (len(server.asked), server.connections) == (4, 2)


async def test_on_a_new_connection_the_same_is_an_answer() -> None:
    async with serving(always(answer(status="408 Request Timeout"), close=True)) as server:
        client = client_of(server.url)
        async with client.post("/", HEADERS, b"") as got:
            assert got.status == 408
        await client.close()
    assert len(server.asked) == 1


async def test_through_the_proxies_of_the_environment_each_request_has_a_connection() -> None:
    async with serving(always(answer())) as server:
        client = ApiClient(parse_target(server.url), trust_env=True)
        for _ in range(2):
            await ask(client)
        await client.close()
    assert server.connections == 2


async def test_a_request_that_was_taken_is_not_sent_again_on_the_quiet() -> None:
    async def once(asked: Asked, writer: asyncio.StreamWriter) -> bool:
        if asked.number == 1:
            return False  # it took the second request and may have carried it out
        writer.write(answer("ok"))
        return True

    async with serving(once) as server:
        client = client_of(server.url)
        await ask(client)
        with pytest.raises(AgentError, match="dropped") as caught:
            await ask(client)
        assert await ask(client) == b"ok"
        await client.close()
    assert (len(server.asked), server.connections) == (3, 2)
    assert caught.value.retryable
    assert not caught.value.is_unpaid


async def test_a_kept_connection_that_was_closed_meanwhile_is_replaced_unused() -> None:
    writers: list[asyncio.StreamWriter] = []

    async def once_each(_: Asked, writer: asyncio.StreamWriter) -> bool:
        writer.write(answer("ok"))
        writers.append(writer)
        return False

    async with serving(once_each) as server:
        client = client_of(server.url)
        for _ in range(3):
            assert await ask(client) == b"ok"
            await writers[-1].wait_closed()
        await client.close()
    assert (len(server.asked), server.connections) == (3, 3)


async def test_a_first_connection_that_is_closed_is_a_fault_that_may_be_tried_again() -> None:
    async def close(_: Asked, __: asyncio.StreamWriter) -> bool:
        return False

    async with serving(close) as server:
        error = await fault(server.url)
    assert len(server.asked) == 1
    assert error.retryable
    assert "dropped" in error.what


async def test_nobody_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        error = await fault(f"http://127.0.0.1:{port}/")
    assert error.what.startswith(f"connection refused by `127.0.0.1:{port}`.")
    assert error.retryable


async def test_a_host_that_is_not_there() -> None:
    error = await fault("http://nowhere.invalid/")
    assert error.what.startswith("host `nowhere.invalid` was not found.")
    assert error.retryable


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
async def test_an_answer_is_read_up_to_its_limit(kind: str) -> None:
    async with serving(always(answer(b"data: " + b"x" * 20_000, kind=kind))) as server:
        client = client_of(server.url)
        with pytest.raises(AgentError, match="longer than") as caught:
            async with client.post("/", HEADERS, b"") as got:
                assert got.is_stream == (kind == "text/event-stream")
                if got.is_stream:
                    assert [event async for event in got.events()] == []
                else:
                    await got.read()
        await client.close()
    assert not caught.value.retryable


RAW_DEFLATE = zlib.compressobj(wbits=-zlib.MAX_WBITS)


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(b"fine")),
        ("deflate", zlib.compress(b"fine")),
        ("deflate", RAW_DEFLATE.compress(b"fine") + RAW_DEFLATE.flush()),
        ("identity", b"fine"),
    ],
    ids=["gzip", "deflate", "raw-deflate", "identity"],
)
async def test_a_packed_answer_that_nobody_asked_for_is_read(encoding: str, packed: bytes) -> None:
    async def slowly(_: Asked, writer: asyncio.StreamWriter) -> None:
        raw = answer(packed, extra=f"Content-Encoding: {encoding}\r\n")
        for at in range(len(raw)):
            writer.write(raw[at : at + 1])
            await writer.drain()

    async with serving(slowly) as server:
        client = client_of(server.url)
        assert await ask(client) == b"fine"
        await client.close()


BOMB = gzip.compress(b"x" * 20_000)


@pytest.mark.parametrize(
    ("encoding", "packed", "words"),
    [
        ("gzip", BOMB, "longer than the"),
        ("gzip, gzip", gzip.compress(BOMB), "packed as `gzip, gzip`"),
        ("br", b"x", "packed as `br`"),
        ("gzip", gzip.compress(b"fine") + b"x" * 20_000, "longer than the"),
        ("gzip", gzip.compress(b"fine")[:-4], "damaged or cut off"),
        ("gzip", b"fine", "damaged or cut off"),
    ],
    ids=["bomb", "bomb-in-bomb", "unknown", "more-behind-it", "cut-off", "not-packed"],
)
async def test_a_packed_answer_is_unpacked_no_further_than_the_limit(
    encoding: str, packed: bytes, words: str
) -> None:
    raw = answer(packed, extra=f"Content-Encoding: {encoding}\r\n")
    async with serving(always(raw)) as server:
        error = await fault(server.url)
    assert words in error.what


async def test_events_have_names_and_data() -> None:
    body = b"event: a\ndata: 1\ndata: 2\n\n: comment\n\ndata: \xe2\x80\xa8x\r\n\r\ndata: cut"
    async with serving(always(answer(body, kind="text/event-stream; charset=utf-8"))) as server:
        client = client_of(server.url)
        async with client.post("/", HEADERS, b"") as got:
            assert [event async for event in got.events()] == [
                ("a", "1\n2"),
                ("message", "\u2028x"),
            ]
        await client.close()


async def test_many_events_at_once_give_way_to_time_limits() -> None:
    packed = gzip.compress(b"data: 1\n\n" * 60_000)
    raw = answer(packed, kind="text/event-stream", extra="Content-Encoding: gzip\r\n")
    async with serving(always(raw)) as server:
        client = client_of(server.url, limit=2**21)
        heard = 0
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(None) as limit, client.post("/", HEADERS, b"") as got:
                async for _ in got.events():
                    heard += 1
                    if heard == 1:
                        limit.reschedule(0.0)
        await client.close()
    assert 0 < heard < 30_000


async def test_nothing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with serving(always(answer(extra="X-Echo: k3y-planted\r\n"))) as server:
        client = client_of(server.url)
        await ask(client, "/x?key=k3y-planted")
        await client.close()
    assert "k3y-planted" not in caplog.text


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("needs the openssl command to make a certificate")
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
         "-keyout", path, "-out", path.with_suffix(".crt")],
        check=True, capture_output=True,
    )  # fmt: skip
    return path


async def test_https_checks_the_certificate(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.with_suffix(".crt"), certificate)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answer("safe", extra="Connection: close\r\n"))
            await writer.drain()
            writer.close()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.transport.abort()

    server = await asyncio.start_server(talk, "localhost", 0, ssl=context)
    url = f"https://localhost:{server.sockets[0].getsockname()[1]}/"
    error = await fault(url)
    assert "no secure connection to `localhost:" in error.what
    assert "Check the certificate" in error.what

    def trusting() -> ssl.SSLContext:
        client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        client.load_verify_locations(certificate.with_suffix(".crt"))
        return client

    monkeypatch.setattr(api_client, "tls_context", trusting)
    client = client_of(url)
    assert await ask(client) == b"safe"
    await client.close()
    server.close()
    await asyncio.sleep(0.01)


async def test_over_tls_too_what_is_said_behind_an_answer_is_not_the_next_one(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.with_suffix(".crt"), certificate)
    trusting = ssl.create_default_context(cafile=certificate.with_suffix(".crt"))
    monkeypatch.setattr(api_client, "tls_context", lambda: trusting)
    connections = requests = 0

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections, requests
        connections += 1
        with contextlib.suppress(asyncio.IncompleteReadError):
            while True:
                await reader.readuntil(b"\r\n\r\n{}")
                # In records of their own, so that of the second no socket tells.
                more = [] if requests else [answer("more")]
                writer.writelines([answer(str(requests)), *more])
                requests += 1
        writer.close()

    server = await asyncio.start_server(talk, "localhost", 0, ssl=context)
    client = client_of(f"https://localhost:{server.sockets[0].getsockname()[1]}/")
    for number in range(3):
        assert await ask(client) == str(number).encode()
    await client.close()
    server.close()
    assert connections == 2
