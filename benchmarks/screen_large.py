"""From a save to its result and to rest on a board of 20,000 cases, 30 tools, the embedded agent.

    python -m benchmarks.screen_large [--saves 10] [--cases 20000]

`one case`: a case is edited so that it fails where it passed, or passes where it failed, and the
figures of the whole board say so (must: 150 ms). `one tool`: a description is edited, and what it
can affect has run. The clock starts before the file is written
and stops when the terminal has received the bytes. The floor, in turn with ours: a program that
prints a word when watchfiles tells of a save.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.clocked import clocked, load, percentiles_line
from benchmarks.screen_save import WATCHED, WATCHER
from tests.random_edits import NOUNS, VERBS
from tests.terminal import EVALTUI

TOOLS, SUITES, VOCABULARY = 30, 30, 300
SYLLABLES = ("ka", "lo", "mi", "ter", "sun", "vo", "bel", "ru", "pan", "dor", "zi", "qua")
_AFFECTED = re.compile(r"[\d,]+ of [\d,]+ affected")
_RAN = re.compile(r"(\d[\d,]*) ran\b")
_TOTALS = re.compile(r"✓([\d,]+) ✗([\d,]+)")


class Large:
    """A project of made-up words. Every tool has some of its own and shares others with a few;
    a message names its tool, says two words of its description and two of all there are."""

    def __init__(self, root: Path, cases: int) -> None:
        self.root, self.random, self.turn = root, Random(1), 0
        (root / "evals").mkdir(parents=True)
        self.words = [
            "".join(self.random.choices(SYLLABLES, k=self.random.randint(2, 3)))
            for _ in range(VOCABULARY)
        ]
        names = [f"{verb}_{noun}" for verb in VERBS for noun in NOUNS]
        self.names = self.random.sample(names, TOOLS)
        self.tools = [
            {
                "name": name,
                "description": f"{name.replace('_', ' ')} {self._words(8)}",
                "parameters": {
                    "type": "object",
                    "properties": {"city": {"type": "string"}, "count": {"type": "integer"}},
                },
            }
            for name in self.names
        ]
        self.suites = [
            [self._case(suite, number) for number in range(cases // SUITES)]
            for suite in range(SUITES)
        ]
        self._write_tools()
        for suite in range(SUITES):
            self._suite_writer(suite)()

    def edit_case(self) -> Callable[[], object]:
        """Another message, and what holds of no answer, the next time of every one. Returns what
        saves it."""
        self.turn += 1
        case = self.suites[0][0]
        case["input"] = {"message": self._message(0)}
        case["expect"] = {"toolsCalled" if self.turn % 2 else "toolsNotCalled": ["zzz"]}
        return self._suite_writer(0)

    def edit_tool(self) -> None:
        """A word of a description goes, another comes: as rare, since all are made up, so that
        messages that say neither are weighed as before."""
        tool = self.random.choice(self.tools)
        words = str(tool["description"]).split()
        words[self.random.randrange(2, len(words))] = self.random.choice(self.words)
        tool["description"] = " ".join(words)
        self._write_tools()

    def _words(self, count: int) -> str:
        return " ".join(self.random.choices(self.words, k=count))

    def _message(self, suite: int) -> str:
        said = str(self.tools[suite]["description"]).split()
        own = self.random.sample(said[2:], 2)
        return " ".join((*said[:2], *own, self._words(2)))

    def _case(self, suite: int, number: int) -> dict[str, object]:
        tool = self.names[suite]
        return {
            "id": f"gs-{tool.replace('_', '-')}-{number:05d}",
            "description": f"number {number}",
            "input": {"message": f"{self._message(suite)} {number}"},
            "expect": {"toolsCalled": [tool]},
        }

    def _write_tools(self) -> None:
        (self.root / "tools.json").write_text(json.dumps(self.tools, indent=1))

    def _suite_writer(self, suite: int) -> Callable[[], object]:
        document = {"metadata": {"toolName": self.names[suite]}, "cases": self.suites[suite]}
        path = self.root / "evals" / f"{self.names[suite]}.golden.json"
        return partial(path.write_text, json.dumps(document, indent=1))


def _failed(text: str, cases: int) -> int | None:
    """How many of all cases failed, by the last figures of the whole board. What an edited case
    expects says nothing of its result: row and detail show it as soon as the file is read."""
    totals = ([int(one.replace(",", "")) for one in found] for found in _TOTALS.findall(text))
    return next((failed for passed, failed in [*totals][::-1] if passed + failed == cases), None)


def main() -> None:
    parser = argparse.ArgumentParser(description="from a save to rest on a large board")
    parser.add_argument("--saves", type=int, default=10)
    parser.add_argument("--cases", type=int, default=20_000)
    flags = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="evaltui-large-") as folder:
        root, bare = Path(folder, "project"), Path(folder, "bare")
        bare.mkdir()
        project = Large(root, flags.cases)
        subprocess.run([*EVALTUI, "run"], cwd=root, check=False, stdout=subprocess.DEVNULL)
        floor: list[float] = []
        one_case: list[float] = []
        one_tool: list[float] = []
        cpu: list[float] = []
        ran: list[int] = []
        with (
            clocked(EVALTUI, root) as shown,
            clocked([sys.executable, "-c", WATCHER, str(bare)]) as watcher,
        ):
            watcher.clock(lambda text: "ready" in text)
            shown.clock(lambda text: "WATCH" in text, 120)
            shown.rest(8)
            failed, cases = -1, sum(map(len, project.suites))

            def has_result(text: str) -> bool:
                return _failed(text, cases) not in (None, failed)

            project.edit_case()()  # from now on each edit turns its verdict round
            shown.rest(3)
            for turn in range(flags.saves + 1):
                shown.rest(1.5)
                failed = _failed(shown.recent, cases) or 0
                shown.forget()
                save = project.edit_case()
                began = time.perf_counter()
                save()
                one_case.append(shown.clock(has_result) - began)
                shown.rest(3)
                shown.forget()
                began, before = time.perf_counter(), shown.cpu_s
                project.edit_tool()
                shown.clock(_AFFECTED.search, 120, token="affected")
                shown.forget()  # the headline before may be drawn once more
                one_tool.append(shown.clock(_RAN.search, 300, token=" ran") - began)
                found = _RAN.findall(shown.plain)
                ran.append(int(found[-1].replace(",", "")))
                cpu.append(shown.cpu_s - before)
                watcher.forget()
                began = time.perf_counter()
                (bare / WATCHED).write_text(str(turn))
                floor.append(watcher.clock(lambda text: "saved" in text) - began)
            shown.rest(3)
            shown.quit()
    print(f"from a save to the screen, {flags.cases} cases, {TOOLS} tools, {load()}")
    print(percentiles_line("watchfiles alone", floor[1:]))
    print(percentiles_line("one case saved to its result", one_case[1:], "≤ 150"))
    print(percentiles_line("one tool saved to rest", one_tool[1:]))
    print(f"  reran {median(ran[1:]):.0f} (most {max(ran[1:])}), processor {median(cpu[1:]):.2f} s")


if __name__ == "__main__":
    main()
