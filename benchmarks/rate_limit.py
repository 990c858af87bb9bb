"""1,000 streamed model calls against an API that takes 20 at once and answers 429 above.

    python -m benchmarks.rate_limit [--count 1000] [--rounds 3]

The best fixed concurrency is found by trying. A run that starts at 64 or 200 at once must find the
20 by itself, lose no case and count none twice, with the retries that every user gets.
"""

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from benchmarks.servers import ROOT
from evaltui.agents import make_agent
from evaltui.core.case import Case, CaseKey, ContractCase
from evaltui.core.events import CaseFinished, Event
from evaltui.kinds import ask_once
from evaltui.runner.job import Job
from evaltui.runner.run import run_cases

ALLOWED = 20
FIXED = (10, 16, 18, 19, 20, 22, 24)
ADAPTIVE = (32, 64, 200)


def stream(text: str) -> bytes:
    """A chat completion in chunks."""
    words = [{"choices": [{"index": 0, "delta": {"content": f"{word} "}}]} for word in text.split()]
    end = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    usage = {"choices": [], "usage": {"prompt_tokens": 50, "completion_tokens": len(words)}}
    lines = [f"data: {json.dumps(event)}\n\n" for event in (*words, end, usage)]
    body = "".join([*lines, "data: [DONE]\n\n"]).encode()
    head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: "
    return f"{head}{len(body)}\r\n\r\n".encode() + body


async def serve(retry_after: str) -> None:
    """Answer after 30 to 90 ms, at most `ALLOWED` at a time; prints the port first."""
    active = served = refused = 0
    latency = random.Random(7)
    wait = f"Retry-After: {retry_after}\r\n" if retry_after else ""
    error = b'{"error":{"message":"slow down","type":"rate_limit_error"}}'
    refusal = (
        f"HTTP/1.1 429 Too Many Requests\r\n{wait}Content-Type: application/json\r\n"
        f"Content-Length: {len(error)}\r\n\r\n"
    ).encode() + error
    answer = stream("It is sunny in Paris today with a light wind from the west.")

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal active, served, refused
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                if head.startswith(b"get"):
                    counts = b"%d %d" % (served, refused)
                    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(counts))
                    writer.write(counts)
                    continue
                length = int(head.partition(b"content-length:")[2].split(b"\r\n")[0])
                await reader.readexactly(length)
                if active >= ALLOWED:
                    refused += 1
                    writer.write(refusal)
                    continue
                active += 1
                await asyncio.sleep(latency.uniform(0.03, 0.09))
                active -= 1
                served += 1
                writer.write(answer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


async def counts(port: int) -> tuple[int, int]:
    """How many the server answered and refused so far."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /counts HTTP/1.1\r\n\r\n")
    await reader.readuntil(b"\r\n\r\n")
    served, refused = (await reader.read(100)).split()
    writer.close()
    return int(served), int(refused)


async def run(port: int, count: int, concurrency: int) -> tuple[float, int]:
    """Seconds and refusals. Raises AssertionError when a case was lost, failed or sent twice."""
    options = {"model": "m", "base_url": f"http://127.0.0.1:{port}/v1"}
    agent = make_agent("openai", "bench", options, root=Path())
    made = [Case(CaseKey("s", str(n)), ContractCase(f"Weather {n}?")) for n in range(count)]
    seen: Counter[str] = Counter()
    statuses: Counter[str] = Counter()

    def emit(event: Event) -> None:
        if isinstance(event, CaseFinished):
            seen[event.result.key.case] += 1
            statuses[event.result.error or event.result.status.value] += 1

    before = await counts(port)
    started = time.perf_counter()
    jobs = (Job(case, ask_once, ()) for case in made)
    await run_cases(jobs, agent, emit, run_id="bench", concurrency=concurrency)
    taken = time.perf_counter() - started
    after = await counts(port)
    await agent.close()
    assert len(seen) == count, f"{count - len(seen)} lost"
    assert max(seen.values()) == 1, "a case was counted twice"
    assert set(statuses) == {"passed"}, statuses
    assert after[0] - before[0] == count, "a case was sent twice"
    return taken, after[1] - before[1]


def measure(retry_after: str, count: int, rounds: int) -> None:
    command = [sys.executable, "-m", "benchmarks.rate_limit", "--serve", "--retry-after"]
    with subprocess.Popen(
        [*command, retry_after], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as server:
        assert server.stdin is not None and server.stdout is not None
        port = int(server.stdout.readline())
        print(f"\nRetry-After: {retry_after or 'not sent'}")
        try:
            tried: dict[int, list[tuple[float, int]]] = {c: [] for c in (*FIXED, *ADAPTIVE)}
            for _ in range(rounds):
                for concurrency, rows in tried.items():
                    rows.append(asyncio.run(run(port, count, concurrency)))
        finally:
            server.stdin.close()
    seconds = {c: statistics.median(taken for taken, _ in rows) for c, rows in tried.items()}
    best = min(seconds[c] for c in FIXED)
    for concurrency, rows in tried.items():
        ratio = seconds[concurrency] / best
        mark = "" if concurrency in FIXED or ratio <= 1.3 else "   MISSED"
        refused = statistics.median(refused for _, refused in rows)
        print(f"  at most {concurrency:3}: {seconds[concurrency]:6.2f} s  {ratio:4.2f}×  "
              f"{refused:4.0f} refused{mark}")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--serve", action="store_true", help="be the server")
    parser.add_argument("--retry-after", default="")
    options = parser.parse_args()
    if options.serve:
        asyncio.run(serve(options.retry_after))
        return
    for retry_after in ("", "0.2", "1"):
        measure(retry_after, options.count, options.rounds)


if __name__ == "__main__":
    main()
