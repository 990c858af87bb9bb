"""1,000 cases against an agent that takes 50 ms, 32 at a time: how much is lost between them.

    python -m benchmarks.latency [--rounds 5] [--runner-only]

The floor is what arithmetic allows: cases × latency / concurrency.
"""

import argparse

from benchmarks.command_line import is_there
from benchmarks.contenders import show
from benchmarks.throughput import measure

COUNT, CONCURRENCY, LATENCY_MS = 1_000, 32, 50.0


def main() -> None:
    parser = argparse.ArgumentParser(description="what is lost between waiting requests")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--runner-only", action="store_true", help="leave out `evaltui run`")
    options = parser.parse_args()
    floor = "cases · latency / concurrency"
    rows = {floor: COUNT * LATENCY_MS / 1000 / CONCURRENCY}
    rows |= measure(
        COUNT,
        CONCURRENCY,
        options.rounds,
        LATENCY_MS,
        with_command=not options.runner_only and is_there(),
    )
    show(f"{COUNT} cases of {LATENCY_MS:g} ms (must: ≤ 1.25, aim: ≤ 1.12)", rows, floor)


if __name__ == "__main__":
    main()
