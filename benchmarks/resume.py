"""Stops an overnight-sized run at random moments, resumes it, and counts who was asked twice.

    python -m benchmarks.resume [--cases 20000] [--stops 3] [--kill]

A case that was answered and recorded must not be asked again. Cases in flight when the run is
stopped have no answer yet: at most `concurrency` of them a stop are asked again.
"""

import argparse
import asyncio
import json
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter

from benchmarks.project_folder import project_folder
from benchmarks.servers import OK

CONCURRENCY = 32


class CountingServer:
    """The contract's endpoint; counts how often it answered each message."""

    def __init__(self, latency_s: float) -> None:
        self.answered: Counter[str] = Counter()
        self.port = 0
        self._latency_s = latency_s
        self._ready = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True).start()
        self._ready.wait()

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._talk, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await server.serve_forever()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = re.search(rb"content-length: *(\d+)", head.lower())
                body = await reader.readexactly(int(length[1]) if length else 0)
                await asyncio.sleep(self._latency_s)
                self.answered[json.loads(body)["message"]] += 1
                writer.write(OK)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


def run(arguments: argparse.Namespace) -> dict[str, int]:
    """Counts: cases, requests answered, answered more than once, stops."""
    server = CountingServer(arguments.latency_ms / 1000)
    command = [sys.executable, "-m", "evaltui", "run", "--resume", "--registry", "tools.json"]
    command += ["--agent", f"http://127.0.0.1:{server.port}/chat"]
    command += ["--concurrency", str(CONCURRENCY), "--output-dir", "results"]
    stops = 0
    with project_folder(arguments.cases) as root:
        while True:
            process = subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL)
            if stops < arguments.stops:
                goal = sum(server.answered.values()) + random.randint(
                    1, arguments.cases // (arguments.stops + 1)
                )
                while sum(server.answered.values()) < goal and process.poll() is None:
                    time.sleep(0.002)
                process.send_signal(signal.SIGKILL if arguments.kill else signal.SIGINT)
                process.wait()
                stops += 1
            elif process.wait() == 0:
                break
            else:
                raise SystemExit(f"the last run failed with exit code {process.returncode}")
        again = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stderr
        if "Nothing is left to run" not in again:
            raise SystemExit(f"something was left: {again}")
    counts = server.answered
    return {
        "cases": len(counts),
        "answers": sum(counts.values()),
        "asked twice": sum(count - 1 for count in counts.values()),
        "stops": stops,
        "in flight at most": stops * CONCURRENCY,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--stops", type=int, default=3)
    parser.add_argument("--latency-ms", type=float, default=2.0)
    parser.add_argument("--kill", action="store_true", help="kill -9 instead of Ctrl+C")
    arguments = parser.parse_args()
    figures = run(arguments)
    for name, value in figures.items():
        print(f"{name:18} {value:>8,}")
    if arguments.kill:
        print("killed: results of the last 33 ms before each kill may be asked for again too")
    elif figures["asked twice"] > figures["in flight at most"]:
        raise SystemExit("more was asked twice than was in flight")


if __name__ == "__main__":
    main()
