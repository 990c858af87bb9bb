"""Scoring and packing 10,000 traces of 6 events, and comparing two packs in which one case in five
changed, against Agent Eval Suite (must: ≥ 2.5 × as fast in at most half its memory; compare ≥ 3 ×
as fast).

    python -m benchmarks.evidence [--count 10000] [--rounds 3] [--original PATH/TO/agent-eval]

The original is found beside this interpreter, on PATH, or where `--original` says; without it only
our own figures are printed. Both work on the same suite, each in a process of its own.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.command_line import EVALTUI
from benchmarks.contenders import environment, interleaved, show
from benchmarks.servers import ROOT

SCHEMA = {
    "type": "object",
    "required": ["degrees"],
    "properties": {"degrees": {"type": "integer"}},
}


def event(idx: int, actor: str, type_: str, **more: Any) -> dict[str, Any]:
    return {"idx": idx, "actor": actor, "type": type_, "latency_ms": 12 + idx, **more}


def case(number: int, wrong_digit: int = 0) -> dict[str, Any]:
    """Six events: a question, two calls with their results, an answer that satisfies all judges;
    one case in ten does not, whose number ends in `wrong_digit`."""
    degrees = number % 40
    wrong = number % 10 == wrong_digit
    return {
        "case_id": f"case-{number:06}",
        "input": f"What is the weather in city {number}?",
        "tool_contracts": {"get_weather": {"required_args": ["city"], "forbidden_args": ["admin"]}},
        "policy": {"required_tools": ["get_weather"], "forbidden_tools": ["delete_city"]},
        "regex_patterns": ["degrees"],
        "json_schema": SCHEMA,
        "trace": [
            event(0, "user", "message", input=f"What is the weather in city {number}?"),
            event(1, "agent", "tool_call", tool="find_city", input={"name": f"city {number}"}),
            event(2, "tool", "tool_result", tool="find_city", output={"id": number}),
            event(3, "agent", "tool_call", tool="get_weather", input={"city": number}),
            event(4, "tool", "tool_result", tool="get_weather", output={"degrees": degrees}),
            event(
                5, "assistant", "message", output=json.dumps({} if wrong else {"degrees": degrees})
            ),
        ],
    }


def write_suite(path: Path, count: int, wrong_digit: int = 0) -> None:
    cases = [case(number, wrong_digit) for number in range(count)]
    suite = {"dataset_id": "weather", "metadata": {"schema_version": "1.0.0"}, "cases": cases}
    path.write_text(json.dumps(suite, indent=2), encoding="utf-8")


def measured(command: list[str], peaks: list[float]) -> float:
    """Seconds from start to exit; its peak resident memory in MiB is added to `peaks`."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment())
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command} ended with {process.returncode}")
    peaks.append(usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 2**20)
    return time.perf_counter() - started


def find_original(named: str | None) -> list[str] | None:
    beside = Path(sys.executable).with_name("agent-eval")
    found = named or (str(beside) if beside.exists() else shutil.which("agent-eval"))
    return [found] if found else None


@contextmanager
def folder() -> Iterator[Path]:
    made = tempfile.mkdtemp(prefix="evaltui-evidence-")
    try:
        yield Path(made)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="scoring, packing and comparing traces")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--original", metavar="PATH")
    parser.add_argument("--write", type=Path, metavar="FILE", help="only write the suite")
    parser.add_argument("--wrong-digit", type=int, default=0, help="which cases of it are wrong")
    flags = parser.parse_args()
    if flags.write is not None:
        write_suite(flags.write, flags.count, flags.wrong_digit)
        return
    programs = {"evaltui": [*EVALTUI]}
    if original := find_original(flags.original):
        programs["agent-eval-suite"] = original
    else:
        print("Agent Eval Suite is not installed here: nothing to compare with.")
    floor = list(programs)[-1]
    with folder() as place:
        suite, later = place / "suite.json", place / "later.json"
        for path, digit in ((suite, 0), (later, 1)):
            # In a process of its own: what is started by a large one counts as large.
            words = ["--write", str(path), "--count", str(flags.count), "--wrong-digit", str(digit)]
            command = [sys.executable, "-m", "benchmarks.evidence", *words]
            subprocess.run(command, cwd=ROOT, check=True)
        peaks: dict[str, list[float]] = {name: [] for name in programs}

        def run(name: str) -> Callable[[], float]:
            pack = place / name

            def go() -> float:
                shutil.rmtree(pack, ignore_errors=True)
                words = ["run", "--suite", str(suite), "--out", str(pack), "--run-id", "r"]
                return measured([*programs[name], *words], peaks[name])

            return go

        times = interleaved({name: run(name) for name in programs}, flags.rounds)
        show(f"run --suite, {flags.count:,} cases of 6 events", times, floor)
        show("peak memory", {name: max(peaks[name]) for name in programs}, floor, "MiB")
        for each in peaks.values():
            each.clear()

        for name, command in programs.items():
            words = ["run", "--suite", str(later), "--out", str(place / f"{name}-later")]
            measured([*command, *words, "--run-id", "later"], [])

        def compare(name: str) -> Callable[[], float]:
            words = ["compare", "--baseline", str(place / name)]
            words += ["--candidate", str(place / f"{name}-later")]
            words += ["--out", str(place / f"{name}.json")]
            return lambda: measured([*programs[name], *words], peaks[name])

        times = interleaved({name: compare(name) for name in programs}, flags.rounds)
        show("compare", times, floor)
        show("peak memory", {name: max(peaks[name]) for name in programs}, floor, "MiB")


if __name__ == "__main__":
    main()
