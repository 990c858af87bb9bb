"""1,000 cases against an agent that takes 50 ms, 32 at a time: how much is lost between them.

    python -m benchmarks.latency [--rounds 5] [--runner-only]

The floor is a bare aiohttp client, both from start to exit; beside it stands what arithmetic
allows: cases × latency / concurrency.
"""

import argparse

from benchmarks.command_line import is_there
from benchmarks.contenders import show
from benchmarks.throughput import WHOLE_FLOOR, measure

COUNT, CONCURRENCY, LATENCY_MS = 1_000, 32, 50.0


def main() -> None:
    parser = argparse.ArgumentParser(description="what is lost between waiting requests")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--runner-only", action="store_true", help="leave out `evaltui run`")
    options = parser.parse_args()
    with_command = not options.runner_only and is_there()
    rows = {"cases · latency / concurrency": COUNT * LATENCY_MS / 1000 / CONCURRENCY}
    rows |= measure(
        COUNT,
        CONCURRENCY,
        options.rounds,
        LATENCY_MS,
        with_command=with_command,
    )
    floor = WHOLE_FLOOR if with_command else "bare aiohttp"
    show(f"{COUNT} cases of {LATENCY_MS:g} ms (must: ≤ 1.15, aim: ≤ 0.9)", rows, floor)


if __name__ == "__main__":
    main()
