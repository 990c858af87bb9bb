"""From a save that edits a check to the last new verdict, 1,000 kept answers (must: ≤ 0.5 s).

    python -m benchmarks.rejudge [--evaluator] [--rounds 7] [--saves 3]

A project that was run once; every dashboard is a fresh process. The check is edited for all cases,
so that each of them gets another verdict: what they expect, or with `--evaluator` the threshold in
the file of a Python evaluator that all of them name. `at once`: the first save of a process, as
soon as its header says that it watches; `after a rest`: the first save of a process that was open
for 3 s; `later saves`: all others. The clock starts before the file is written and stops when the
terminal has received the header that counts every new verdict. The agent counts its requests: it
may get none. Ends with 1 where a median is above the limit.
"""

import argparse
import json
import sys
import time
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from benchmarks.clocked import Clocked, clocked, load, percentiles_line
from benchmarks.command_line import EVALTUI
from benchmarks.dashboard import header, options, until_run
from benchmarks.project_folder import EXPECT, WRONG, cases, project_folder
from benchmarks.servers import running_server

Write = Callable[[Path, int], None]
CASES = 1_000
LIMIT_S = 0.5
REST_S = 3.0
EVALUATOR = """
from evaltui import define_evaluator, failed, passed

LEAST = {least}


@define_evaluator("long-enough", label="Long Enough", kind="assertion")
def long_enough(ctx):
    length = len(ctx.last_response)
    return (passed if length >= LEAST else failed)(f"{{length}} characters of {{LEAST}}")
"""
AT_ONCE, RESTED, LATER = "first save, at once", "first save, after a rest", "later saves"


def write_evaluator(root: Path, turn: int) -> None:
    """All cases pass in even turns and fail in odd ones, by the length of their answers."""
    path = root / "evaluators" / "long_enough.py"
    path.write_text(EVALUATOR.format(least=1_000 if turn % 2 else 1), encoding="utf-8")


def name_evaluator(root: Path) -> None:
    """Have all cases judged by it."""
    (root / "evaltui.toml").write_text('evaluators = ["./evaluators/long_enough.py"]\n')
    (root / "evaluators").mkdir()
    write_evaluator(root, 0)
    (path,) = (root / "evals").iterdir()
    suite = json.loads(path.read_text())
    for case in suite["cases"]:
        case["evaluators"] = [{"type": "long-enough"}]
    path.write_text(json.dumps(suite), encoding="utf-8")


def write_expected(root: Path, turn: int) -> None:
    """All cases pass in even turns and fail in odd ones, by the answer that all of them got."""
    expected = WRONG if turn % 2 else EXPECT
    edited = [{**case, "expect": expected} for case in cases(CASES)]
    (path,) = (root / "evals").iterdir()
    path.write_text(
        json.dumps({"metadata": {"toolName": "get_weather"}, "cases": edited}), encoding="utf-8"
    )


def measure(shown: Clocked, root: Path, turn: int, write: Write) -> tuple[float, float]:
    """Seconds from a save until all verdicts of its turn were counted; of the processor until the
    results were written too."""
    counted = f"✗{CASES:,}" if turn % 2 else f"✓{CASES:,}"
    shown.forget()
    worked, started = shown.cpu_s, time.perf_counter()
    write(root, turn)
    taken = shown.clock(lambda text: counted in header(text), token=counted) - started
    shown.rest(1.0)
    return taken, shown.cpu_s - worked


def requests(url: str) -> int:
    with urllib.request.urlopen(url.replace("/chat", "/counts")) as reply:
        return int(json.load(reply)["served"])


def report(times: dict[str, list[tuple[float, float]]]) -> bool:
    """Whether all medians are within the limit."""

    def medians(found: Sequence[tuple[float, float]]) -> tuple[float, float]:
        walls, works = zip(*found, strict=True)
        return median(walls), median(works)

    later = medians(times[LATER])
    for name, found in times.items():
        wall, work = medians(found)
        print(
            percentiles_line(name, [taken for taken, _ in found], f"p50 ≤ {LIMIT_S * 1000:.0f} ms")
        )
        print(
            f"    {wall / later[0]:.2f} × {LATER}; processor {work * 1000:.0f} ms,"
            f" {work / later[1]:.2f} ×"
        )
    return all(medians(found)[0] <= LIMIT_S for found in times.values())


def main() -> int:
    parser = argparse.ArgumentParser(description="from an edited check to the last new verdict")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--saves", type=int, default=3)
    parser.add_argument("--evaluator", action="store_true", help="edit one instead of `expect`")
    given = parser.parse_args()
    write = write_evaluator if given.evaluator else write_expected
    times: dict[str, list[tuple[float, float]]] = {AT_ONCE: [], RESTED: [], LATER: []}
    with running_server() as url, project_folder(CASES) as root:
        words = [*EVALTUI, *options(url)]
        if given.evaluator:
            name_evaluator(root)
            words.append("--trust")
        with clocked(words, root) as shown:
            until_run(shown, CASES, 0)
            shown.quit()
        asked, turn = requests(url), 0
        for first in (AT_ONCE, RESTED) * given.rounds:
            with clocked(words, root) as shown:
                shown.clock(lambda text: "● WATCH" in text)
                shown.rest(0.0 if first is AT_ONCE else REST_S)
                for number in range(given.saves):
                    turn += 1
                    times[LATER if number else first].append(measure(shown, root, turn, write))
                shown.quit()
            print(".", end="", file=sys.stderr, flush=True)
        assert requests(url) == asked, "the agent was asked"
    print(f"\nfrom an edited check to the last new verdict, {CASES:,} kept answers, {load()}")
    is_within = report(times)
    print("  requests meanwhile: 0")
    return 0 if is_within else 1


if __name__ == "__main__":
    sys.exit(main())
