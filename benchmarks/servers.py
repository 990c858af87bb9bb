"""An agent in its own process that answers at once, after a while, so many a second, or only so
many at a time.

    python -m benchmarks.servers [--latency-ms 50] [--rate 1000] [--allowed 20] [--retry-after 1]

prints its port and serves until its standard input closes.
"""

import argparse
import asyncio
import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ANSWER = (
    b'{"response":"It is sunny in Paris, 21 degrees.","toolCalls":[{"name":"get_weather",'
    b'"success":true,"durationMs":3,"params":{"city":"Paris"}}]}'
)
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
OK = _HEAD % len(ANSWER) + ANSWER


class AgentServer(asyncio.Protocol):
    """The contract's endpoint, as cheap as Python allows: the client is what is measured."""

    active = 0
    served = 0
    refused = 0
    due = 0.0
    """When the next answer may leave, by the loop's clock; all connections share it."""

    def __init__(self, latency_s: float, allowed: int, retry_after: str, rate: float) -> None:
        self._latency_s = latency_s
        self._pace_s = 1 / rate if rate else 0.0
        self._allowed = allowed
        wait = f"Retry-After: {retry_after}\r\n" if retry_after else ""
        self._refusal = (
            f"HTTP/1.1 429 Too Many Requests\r\n{wait}Content-Length: 0\r\n\r\n".encode()
        )
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data if self._buffer else data
        while (end := buffer.find(b"\r\n\r\n")) >= 0:
            head = buffer[:end].lower()
            at = head.find(b"content-length:")
            length = int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
            if len(buffer) < end + 4 + length:
                break
            buffer = buffer[end + 4 + length :]
            self._answer(head)
        self._buffer = buffer

    def _answer(self, head: bytes) -> None:
        counts = AgentServer
        if head.startswith(b"get /counts"):
            body = b'{"served":%d,"refused":%d}' % (counts.served, counts.refused)
            self._transport.write(_HEAD % len(body) + body)
        elif self._allowed and counts.active >= self._allowed:
            counts.refused += 1
            self._transport.write(self._refusal)
        elif self._latency_s or self._pace_s:
            counts.active += 1
            loop = asyncio.get_running_loop()
            # A client that lagged may catch up, but not on what it left out while nothing ran.
            counts.due = max(counts.due + self._pace_s, loop.time() - 1)
            loop.call_at(max(counts.due, loop.time() + self._latency_s), self._late)
        else:
            counts.served += 1
            self._transport.write(OK)

    def _late(self) -> None:
        AgentServer.active -= 1
        AgentServer.served += 1
        if not self._transport.is_closing():
            self._transport.write(OK)


@contextlib.contextmanager
def running_server(
    latency_ms: float = 0.0, allowed: int = 0, retry_after: str = "", rate: float = 0.0
) -> Iterator[str]:
    """The URL of a fresh server in its own process."""
    command = [sys.executable, "-m", "benchmarks.servers", "--latency-ms", str(latency_ms)]
    command += ["--allowed", str(allowed), "--retry-after", retry_after, "--rate", str(rate)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout is not None and process.stdin is not None
        port = int(process.stdout.readline())
        try:
            yield f"http://127.0.0.1:{port}/chat"
        finally:
            process.stdin.close()
            process.wait(10)


async def serve(latency_s: float, allowed: int, retry_after: str, rate: float) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: AgentServer(latency_s, allowed, retry_after, rate), "127.0.0.1", 0, backlog=1024
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--latency-ms", type=float, default=0.0)
    parser.add_argument("--rate", type=float, default=0.0)
    parser.add_argument("--allowed", type=int, default=0)
    parser.add_argument("--retry-after", default="")
    options = parser.parse_args()
    latency_s = options.latency_ms / 1000
    asyncio.run(serve(latency_s, options.allowed, options.retry_after, options.rate))


if __name__ == "__main__":
    main()
