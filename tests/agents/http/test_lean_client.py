"""Secure connections, and what is said when there is none."""

import asyncio
import shutil
import ssl
import subprocess
from pathlib import Path

import pytest

from evaltui.agents.http import lean_client
from evaltui.agents.http.agent import make
from tests.agents.requests import agent, fault, request
from tests.agents.servers import GOOD, answer


async def test_https_to_a_plain_server_is_an_error_that_says_so() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(answer("speak HTTP", status="400 Bad Request"))
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    error = await fault(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/chat")
    server.close()
    assert "no secure connection" in error.what


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


async def test_https_checks_the_certificate_and_keeps_the_connection(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.with_suffix(".crt"), certificate)
    connections = 0

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        try:
            while True:
                await reader.readuntil(b"\r\n\r\n")
                await reader.readexactly(len(b'{"message":"Weather?"}'))
                writer.write(answer())
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.transport.abort()

    server = await asyncio.start_server(talk, "localhost", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    url = f"https://localhost:{port}/chat"
    error = await fault(url)
    assert "certificate" in error.what.lower()
    connections = 0

    def trusting() -> ssl.SSLContext:
        client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        client.load_verify_locations(certificate.with_suffix(".crt"))
        return client

    monkeypatch.setattr(lean_client, "tls_context", trusting)
    asked = agent(url)
    for _ in range(3):
        assert (await asked.respond(request())).text == GOOD["response"]
    await asked.close()
    server.close()
    await asyncio.sleep(0.01)
    assert connections == 1


def test_own_names_of_profiles_are_kept() -> None:
    named = make("staging", {"url": "http://localhost:1/chat"}, root=Path(), env={})
    assert (named.name, named.endpoint) == ("staging", "http://localhost:1/chat")
