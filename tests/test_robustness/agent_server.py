"""An agent over HTTP that answers each message in the way the message asks for."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HUGE = 100 << 20


class _Agent(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16  # one packet an answer
    latency_s = 0.0
    is_over: threading.Event

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        message = json.loads(body)["message"]
        kind = message.partition(":")[0]
        good = json.dumps(
            {
                "response": "It is on its way.",
                "toolCalls": [
                    {"name": "find_order", "success": True, "durationMs": 1, "params": {}}
                ],
            }
        ).encode()
        match kind:
            case "hang":
                self.is_over.wait(30)
                self.close_connection = True
            case "drop":
                self.close_connection = True
            case "drop-midway":
                self._head(200, "application/json", len(good))
                self.wfile.write(good[:20])
                self.close_connection = True
            case "html":
                self._answer(200, "text/html", b"<html><body>Sign in</body></html>")
            case "500":
                self._answer(500, "application/json", b'{"error": "out of order"}')
            case "half":
                self._answer(200, "application/json", good[: len(good) // 2])
            case "list":
                self._answer(200, "application/json", b"[1, 2]")
            case "nonsense":
                self.wfile.write(b"\x00\x01 no HTTP at all\r\n\r\n")
                self.close_connection = True
            case "huge":
                self._huge()
            case "endless":
                self._endless()
            case _:
                time.sleep(self.latency_s)
                self._answer(200, "application/json", good)

    def _huge(self) -> None:
        self._head(200, "application/json", HUGE)
        block = b'{"response": "' + b"x" * (1 << 20)
        with suppress(OSError):
            for _ in range(HUGE >> 20):
                self.wfile.write(block[: 1 << 20])
        self.close_connection = True

    def _endless(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        chunk = b"100000\r\n" + b" " * (1 << 20) + b"\r\n"
        with suppress(OSError):
            for _ in range(HUGE >> 20):
                self.wfile.write(chunk)
        self.close_connection = True

    def _head(self, status: int, kind: str, length: int) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def _answer(self, status: int, kind: str, body: bytes) -> None:
        self._head(status, kind, len(body))
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Silence: the requests are no output of a test."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that are killed midway are what is tested."""


@contextmanager
def agent_server(latency_s: float = 0.0) -> Iterator[str]:
    """The URL of the agent, served from threads of this process."""
    over = threading.Event()
    handler = type("Agent", (_Agent,), {"latency_s": latency_s, "is_over": over})
    server = _Server(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/chat"
    finally:
        over.set()
        server.shutdown()
        thread.join()
        server.server_close()
