"""From the start to the first whole frame, with the last known board (must: ≤ 1.3 × an empty
Textual app at any size, aim: ≤ 1.2 ×).

    python -m benchmarks.screen_start [--rounds 11]

Boards of 10 cases and of 20,000 in 300 files; each was run once, so that a board is there to be
known. The clock runs from the spawn until the terminal has got header, rows and footer.
"""

import argparse
import contextlib
import sys
from collections.abc import Callable
from functools import partial
from statistics import median

from benchmarks.clocked import EMPTY_APP, Clocked, clocked, load
from benchmarks.command_line import EVALTUI
from benchmarks.dashboard import known_project, options
from benchmarks.servers import running_server

SIZES = (10, 20_000)
FLOOR = "empty Textual app"


def is_frame(text: str) -> bool:
    """Header with the known totals, the first row and the footer."""
    return all(part in text for part in ("last results", "│› ✗    gs-get-weather-00000", "? help"))


def check(shown: Clocked, cases: int) -> None:
    """That frame really was the whole board."""
    lines = shown.drawn()
    rows = sum("gs-get-weather-" in "".join(line.split("│")[1:2]) for line in lines)
    assert f"2 Cases {cases:,}" in lines[1], lines[1]
    assert rows >= min(cases, 40), "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="from the start to the first whole frame")
    parser.add_argument("--rounds", type=int, default=11)
    rounds = parser.parse_args().rounds
    with contextlib.ExitStack() as stack:
        url = stack.enter_context(running_server())
        roots = {cases: stack.enter_context(known_project(url, cases)) for cases in SIZES}

        def floor() -> tuple[float, float]:
            with clocked(EMPTY_APP) as shown:
                return shown.clock(lambda text: "frame 0" in text) - shown.started, shown.cpu_s

        def board(cases: int) -> tuple[float, float]:
            with clocked([*EVALTUI, *options(url)], roots[cases]) as shown:
                taken = shown.clock(is_frame) - shown.started, shown.cpu_s
                check(shown, cases)
                return taken

        contenders: dict[str, Callable[[], tuple[float, float]]] = {FLOOR: floor}
        contenders |= {f"board of {cases:,} cases": partial(board, cases) for cases in SIZES}
        for start in contenders.values():
            start()
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in contenders}
        for turn in range(rounds):
            names = list(contenders)
            shift = turn % len(names)
            for name in names[shift:] + names[:shift]:
                times[name].append(contenders[name]())
                print(".", end="", file=sys.stderr, flush=True)
    print(f"\nfirst whole frame, {rounds} rounds, {load()} (must: ≤ 1.3 ×, aim: ≤ 1.2 ×)")
    walls = {name: median(wall for wall, _ in found) for name, found in times.items()}
    works = {name: median(work for _, work in found) for name, found in times.items()}
    for name in times:
        print(
            f"  {name:<24} {walls[name] * 1000:6.0f} ms  {walls[name] / walls[FLOOR]:5.2f} ×"
            f"   processor {works[name] * 1000:6.0f} ms  {works[name] / works[FLOOR]:5.2f} ×"
        )


if __name__ == "__main__":
    main()
