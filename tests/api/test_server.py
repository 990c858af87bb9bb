"""The server as a process: how it ends, and what it says of what a client did wrong."""

import asyncio
import logging
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import msgspec
import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from evaltui.api import server as api_server
from evaltui.api.server import in_one_line, listen, serve
from evaltui.files import is_there
from tests.api.served import events_in

HALF = (
    b"PUT /api/scenarios/Returns HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
)


WORDS = [sys.executable, "-m", "evaltui", "serve", "--api-only", "--json", "--port", "0"]


def test_a_body_that_does_not_come_keeps_it_from_nothing(root: Path) -> None:
    with subprocess.Popen(
        [*WORDS, "-C", str(root)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as server:
        assert server.stdout is not None and server.stderr is not None
        url = msgspec.json.decode(server.stdout.readline())["url"]
        port = int(url.rpartition(":")[2])
        slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(3)]
        for one in slow:
            one.sendall(HALF)
        slow[0].close()  # gone before its end
        with socket.create_connection(("127.0.0.1", port)) as other:
            other.sendall(b"GET /api/runs HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b" 200 " in other.recv(1000)
        server.send_signal(signal.SIGTERM)
        told = time.monotonic()
        assert b" 400 " in slow[1].recv(1000)
        said = server.stderr.read()
        server.wait()
        assert (said, time.monotonic() - told < 2) == (b"", True)
        for one in slow:
            one.close()


def test_ctrl_c_twice_ends_runs_and_those_who_follow_them_without_a_word(
    root: Path, slow: Path
) -> None:
    with subprocess.Popen(
        [*WORDS, "--trust", "-C", str(root)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as server:
        try:
            assert server.stdout is not None and server.stderr is not None
            url = msgspec.json.decode(server.stdout.readline())["url"]
            with httpx.Client(base_url=url, trust_env=False, timeout=30) as client:
                (row,) = client.post("/api/runs", json={}).json()["runs"]
                with client.stream("GET", f"/api/runs/{row['id']}/events") as stream:
                    told = stream.iter_text()
                    first = next(told)
                    while not is_there(slow):
                        time.sleep(0.02)  # another process makes it
                    server.send_signal(signal.SIGINT)
                    server.send_signal(signal.SIGINT)
                    last = events_in("".join((first, *told)))[-1]
            assert (last["event"], last["end"]) == ("RunFinished", "cancelled")
            assert (server.stderr.read(), server.wait(30)) == (b"", 130)
        finally:
            server.kill()
    journal = root / ".evaltui" / "runs" / f"{row['id']}.jsonl"
    assert journal.is_file()


def test_runs_have_ended_before_answers_are_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those who follow them hear it, however long that takes."""
    order: list[str] = []

    async def break_off(server: uvicorn.Server, sockets: object = None) -> None:  # noqa: ARG001
        order.append("answers")

    async def end_runs() -> None:
        await asyncio.sleep(0)
        order.append("runs")

    async def app(scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG001
        await receive()
        await send({"type": "lifespan.startup.complete"})

    async def no_loop(server: uvicorn.Server) -> None:
        """It is told to end at once."""

    monkeypatch.setattr(uvicorn.Server, "shutdown", break_off)
    monkeypatch.setattr(uvicorn.Server, "main_loop", no_loop)
    monkeypatch.setattr(api_server, "end_on_signals", lambda *_, **__: None)
    assert serve(app, listen("127.0.0.1", 0), lambda: None, end_runs) == 0
    assert order == ["runs", "answers"]


def test_what_a_page_sent_that_is_no_text_is_one_line() -> None:
    def record(error: Exception) -> logging.LogRecord:
        info = (type(error), error, None)
        return logging.LogRecord("uvicorn.error", 40, "", 1, "Invalid UTF-8", (), info)

    theirs = record(UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"))
    assert in_one_line(theirs)
    assert theirs.exc_info is None
    ours = record(KeyError("x"))
    assert in_one_line(ours)
    assert ours.exc_info is not None


def test_an_answer_that_was_broken_off_at_the_end_is_told_once() -> None:
    error = asyncio.CancelledError()
    info = (type(error), error, None)
    assert not in_one_line(logging.LogRecord("uvicorn.error", 40, "", 1, "Exception", (), info))
