"""From a key to the painted line on 20,000 rows in a real terminal (quiet, must: p50 ≤ 10 ms,
p99 ≤ 50; while a run brings 1,000 results a second: 15 and 70).

    python -m benchmarks.screen_keys [--keys 300] [--rows 20000]

The clock stops when the terminal has received the cursor's new line. A real session runs all cases
on an agent that answers 1,000 times a second. The floor, in turn with ours: Textual with one word
on the screen, which every key changes.
"""

import argparse
import json
import random
import re
import time
import urllib.request
from itertools import cycle

from benchmarks.clocked import EMPTY_APP, Clocked, clocked, load, percentiles_line
from benchmarks.command_line import EVALTUI
from benchmarks.dashboard import (
    CURSOR,
    FAILING_EVERY,
    SUITES,
    failing,
    header,
    is_running,
    options,
    until_run,
)
from benchmarks.project_folder import project_folder
from benchmarks.servers import running_server

RATE = 1000
DOWN, UP = "\x1b[6~", "\x1b[5~"
KEYS = {"j": "j k", "k": "j k", DOWN: "PgDn PgUp", UP: "PgDn PgUp", "g": "g G", "G": "g G"}
"""What is typed, and the kind under which it is told."""
ROUND = ("j", "j", "j", "k", DOWN, "j", "k", "j", UP, "j", "G", "k", "j", "k", "g")
"""Each of them moves the cursor; they come in threes, as fast as a key repeats that is held."""
HELD_S, RESTED_S = (0.025, 0.04), (0.1, 0.3)
"""Before a key: within such a burst, and between them. Not in step with the frames."""
FLOOR = "one word by Textual"
FLOOR_EVERY = 5


class Keyed:
    """Presses keys in the dashboard and in the floor, and keeps what they took."""

    def __init__(self, shown: Clocked, floor: Clocked) -> None:
        self._shown, self._floor = shown, floor
        self._at = "gs-get-weather-00000"
        self._pressed = 0
        self._chance = random.Random(7)

    def press(self, count: int, *, is_busy: bool) -> dict[str, list[float]]:
        """Seconds by kind of key, of the floor, and of the processor."""
        times: dict[str, list[float]] = {"all": [], FLOOR: [], "processor": []}
        for number, key in zip(range(count), cycle(ROUND)):
            if is_busy and not is_running(self._shown.recent):
                self._run()
            pace = HELD_S if number % 3 else RESTED_S
            self._shown.rest(self._chance.uniform(*pace))
            worked = self._shown.cpu_s
            taken = self._press(key)
            times["processor"].append(self._shown.cpu_s - worked)
            times["all"].append(taken)
            times.setdefault(KEYS[key], []).append(taken)
            times.setdefault("held" if number % 3 else "after a rest", []).append(taken)
            if number % FLOOR_EVERY == 0:
                times[FLOOR].append(self._press_floor())
        return times

    def _press(self, key: str) -> float:
        shown = self._shown
        shown.forget()
        started = time.perf_counter()
        shown.press(key)
        taken = shown.clock(self._has_moved, 10.0, token="›") - started
        self._at = CURSOR.findall(shown.plain)[-1]
        return taken

    def _has_moved(self, text: str) -> bool:
        found = CURSOR.findall(text)
        return bool(found) and found[-1] != self._at

    def _press_floor(self) -> float:
        self._pressed += 1
        word = f"frame {self._pressed}"
        self._floor.forget()
        started = time.perf_counter()
        self._floor.press("x")
        return self._floor.clock(lambda text: word in text) - started

    def _run(self) -> None:
        """Run everything; on with the keys when the first thousand results are there."""
        self._shown.forget()
        self._shown.press("a")
        self._shown.clock(lambda text: is_running(text) and done(text) > RATE)


def done(text: str) -> int:
    """Results so far, of the run in the header."""
    found = re.search(r"([\d,]+)/[\d,]+", header(text))
    return int(found[1].replace(",", "")) if found else 0


def main() -> None:
    parser = argparse.ArgumentParser(description="from a key to the screen")
    parser.add_argument("--keys", type=int, default=300)
    parser.add_argument("--rows", type=int, default=20_000)
    given = parser.parse_args()
    rows = given.rows
    with (
        running_server(rate=RATE) as url,
        project_folder(rows, SUITES, FAILING_EVERY) as root,
        clocked(EMPTY_APP) as floor,
        clocked([*EVALTUI, *options(url)], root) as shown,
    ):
        floor.clock(lambda text: "frame 0" in text)
        until_run(shown, rows, failing(rows))
        shown.rest(2)
        keyed = Keyed(shown, floor)
        for is_busy, must in ((False, "p50 ≤ 10, p99 ≤ 50"), (True, "p50 ≤ 15, p99 ≤ 70")):
            began, answered = time.perf_counter(), counts(url)
            times = keyed.press(given.keys, is_busy=is_busy)
            rate = (counts(url) - answered) / (time.perf_counter() - began)
            print(f"\nkey to line, {rows:,} rows, {rate:,.0f} results a second, {load()}")
            for name, found in times.items():
                print(percentiles_line(name, found, must if name == "all" else ""))


def counts(url: str) -> int:
    """Requests answered so far."""
    with urllib.request.urlopen(url.replace("/chat", "/counts")) as answer:
        return int(json.load(answer)["served"])


if __name__ == "__main__":
    main()
