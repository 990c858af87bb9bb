"""The server as a process: how it ends, and what it says of what a client did wrong."""

import logging
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import msgspec

from evaltui.api.server import in_one_line

HALF = (
    b"PUT /api/scenarios/Returns HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
)


def test_a_body_that_does_not_come_keeps_it_from_nothing(root: Path) -> None:
    words = [sys.executable, "-m", "evaltui", "serve", "--api-only", "--json", "--port", "0"]
    with subprocess.Popen(
        [*words, "-C", str(root)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
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
