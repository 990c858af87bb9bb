"""From a save to the changed row in a real terminal, 10 cases (must: p50 ≤ 80 ms, p99 ≤ 150).

    python -m benchmarks.screen_save [--saves 100]

`row`: the row is shown as affected. `verdict`: its new result is shown. The clock starts before
the file is written and stops when the terminal has received the bytes. The floor, in turn with
ours: a program that prints a word when watchfiles tells of a save.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.clocked import clocked, load, percentiles_line
from tests.terminal import Terminal, terminal

CASES = 10
NAME = "gs-get-weather-00000"
EVALS = "evals/get_weather.golden.json"
WATCHED = "watched.json"
WATCHER = """
import asyncio, sys, watchfiles
async def main():
    print("ready", flush=True)
    async for changes in watchfiles.awatch(sys.argv[1], step=10, debounce=100):
        print("saved", flush=True)
asyncio.run(main())
"""


def project(root: Path) -> None:
    tool = {
        "name": "get_weather",
        "description": "Current weather of a city. Use for weather and rain.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    }
    (root / "tools.json").write_text(json.dumps([tool]))
    (root / "evals").mkdir()


def write(root: Path, turn: int) -> None:
    """The first case passes in even turns and fails in odd ones, whatever the agent does."""
    cases = [
        {
            "id": f"gs-get-weather-{number:05d}",
            "description": f"number {number}",
            "input": {"message": f"What is the weather in Paris, variant {number}?"},
            "expect": {"toolsNotCalled" if turn % 2 == 0 or number else "toolsCalled": ["nothing"]},
        }
        for number in range(CASES)
    ]
    (root / EVALS).write_text(
        json.dumps({"metadata": {"toolName": "get_weather"}, "cases": cases}, indent=2)
    )


def measure(shown: Terminal, root: Path, turn: int) -> tuple[float, float]:
    """Seconds until the row changed at all, and until the new verdict stood there."""
    before = shown.row(NAME)
    mark = "✗" if turn % 2 else "✓"
    started = time.perf_counter()
    write(root, turn)
    first = last = 0.0
    while time.perf_counter() - started < 10:
        for at in shown.record(0.15, 1.0):
            row = shown.row(NAME)
            if row != before:
                first = first or at - started
            lead = row.split(NAME)[0].rpartition("│")[2]
            if first and mark in lead and "⚠" not in lead:
                last = last or at - started
        if last:
            return first, last
    raise AssertionError(shown.text)


def main() -> None:
    parser = argparse.ArgumentParser(description="from a save to the screen")
    parser.add_argument("--saves", type=int, default=100)
    count = parser.parse_args().saves
    with tempfile.TemporaryDirectory(prefix="evaltui-save-") as folder:
        root, bare = Path(folder, "project"), Path(folder, "bare")
        root.mkdir()
        bare.mkdir()
        project(root)
        write(root, 0)
        with (
            terminal(root) as shown,
            clocked([sys.executable, "-c", WATCHER, str(bare)]) as watcher,
        ):
            watcher.clock(lambda text: "ready" in text)
            shown.shows(f"2 Cases {CASES}", "WATCH")
            shown.until(lambda: "✓" in shown.row(NAME))
            times: list[tuple[float, float]] = []
            floor: list[float] = []
            for turn in range(1, count + 6):
                end = time.monotonic() + 0.2
                while time.monotonic() < end:
                    shown.read(0.05)
                times.append(measure(shown, root, turn))
                watcher.forget()
                started = time.perf_counter()
                (bare / WATCHED).write_text(str(turn))
                floor.append(watcher.clock(lambda text: "saved" in text) - started)
    rows, verdicts = zip(*times[5:], strict=True)
    print(f"from a save to the screen, {CASES} cases, {load()}")
    print(percentiles_line("watchfiles alone", floor[5:]))
    print(percentiles_line("save to changed row", rows, "p50 ≤ 80, p99 ≤ 150"))
    print(percentiles_line("save to new verdict", verdicts))


if __name__ == "__main__":
    main()
