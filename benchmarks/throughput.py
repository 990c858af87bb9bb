"""5,000 cases against an agent that answers at once, 32 at a time.

    python -m benchmarks.throughput [--count 5000] [--concurrency 32] [--rounds 7] [--runner-only]

Contenders: a bare client on asyncio streams, a bare aiohttp client, our runner with the HTTP agent
alone, and the whole command `evaltui run` with its files read and results written. A whole command
is held against a whole bare client, both from start to exit; the other seconds leave out starting
Python and importing.
"""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.command_line import is_there, run_project
from benchmarks.contenders import interleaved, printed_seconds, show, wall_seconds
from benchmarks.project_folder import project_folder
from benchmarks.servers import running_server

WHOLE_FLOOR = "bare aiohttp, start to exit"


def measure(
    count: int, concurrency: int, rounds: int, latency_ms: float, *, with_command: bool
) -> dict[str, float]:
    """Median seconds of each contender."""
    sizes = (str(count), str(concurrency))
    with running_server(latency_ms) as url, project_folder(count) as root:
        contenders: dict[str, Callable[[], float]] = {
            "bare raw": lambda: printed_seconds("benchmarks.clients", "raw", url, *sizes),
            "bare aiohttp": lambda: printed_seconds("benchmarks.clients", "aiohttp", url, *sizes),
            "runner alone": lambda: printed_seconds("benchmarks.runner_alone", url, *sizes),
        }
        if with_command:
            contenders[WHOLE_FLOOR] = lambda: wall_seconds(
                sys.executable, "-m", "benchmarks.clients", "aiohttp", url, *sizes
            )
            contenders["evaltui run"] = lambda: run_project(root, url, concurrency)
        rows = interleaved(contenders, rounds)
        if with_command:
            check_results(root, count)
    return rows


def check_results(root: Path, count: int) -> None:
    """The last result file holds every case, passed."""
    newest = max((root / "results").glob("*.json"), key=lambda path: path.stat().st_mtime)
    summary = json.loads(newest.read_text(encoding="utf-8"))["summary"]
    assert (summary["totalCases"], summary["passed"]) == (count, count), summary


def main() -> None:
    parser = argparse.ArgumentParser(description="cases a second against an instant agent")
    parser.add_argument("--count", type=int, default=5_000)
    parser.add_argument("--concurrency", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--runner-only", action="store_true", help="leave out `evaltui run`")
    options = parser.parse_args()
    with_command = not options.runner_only and is_there()
    rows = measure(
        options.count, options.concurrency, options.rounds, 0.0, with_command=with_command
    )
    show(
        f"{options.count} cases, instant agent, concurrency {options.concurrency} "
        "(must: ≤ 2.4 × bare aiohttp, aim: ≤ 1.3)",
        rows,
        WHOLE_FLOOR if with_command else "bare aiohttp",
    )


if __name__ == "__main__":
    main()
