"""5,000 cases, an agent that answers at once, 32 at a time: the dashboard against `evaltui run`
(must: ≤ 1.5 ×, aim: ≤ 1.2 ×).

    python -m benchmarks.screen_run [--count 5000] [--rounds 5]

`run` is the run as its journal tells it, from the first request to the results on disk; `whole`
begins with the spawn and ends with the exit, or with the header that has counted every result.
Every run finds a new project, in which the dashboard runs everything by itself.
"""

import argparse
import json
import resource
import sys
from pathlib import Path
from statistics import median

from benchmarks.clocked import clocked, load
from benchmarks.command_line import EVALTUI, run_project
from benchmarks.dashboard import options, until_run
from benchmarks.project_folder import project_folder
from benchmarks.servers import running_server

CONCURRENCY = 32


def headless(root: Path, url: str, count: int) -> float:  # noqa: ARG001
    return run_project(root, url, CONCURRENCY)


def dashboard(root: Path, url: str, count: int) -> float:
    with clocked([*EVALTUI, *options(url, CONCURRENCY)], root) as shown:
        whole = until_run(shown, count, 0) - shown.started
        shown.quit()
        return whole


def run_seconds(root: Path, count: int) -> float:
    """What the run itself says that it took; raises unless every case passed."""
    journals = [*(root / ".evaltui" / "runs").glob("*.jsonl")]
    assert len(journals) == 1, journals
    last = json.loads(journals[0].read_bytes().splitlines()[-1])
    assert last["event"] == "RunFinished", last["event"]
    passed = sum(json.loads(path.read_bytes())["summary"]["passed"] for path in results(root))
    assert passed == count, f"{passed} of {count}"
    return float(last["duration_s"])


def results(root: Path) -> list[Path]:
    return [*(root / "results").glob("*.json")]


def processor() -> float:
    """Seconds of all programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description="the dashboard against the command line")
    parser.add_argument("--count", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    contenders = {"evaltui run": headless, "dashboard": dashboard}
    taken: dict[str, list[tuple[float, float, float]]] = {name: [] for name in contenders}
    with running_server() as url:
        for turn in range(given.rounds):
            names = list(contenders)[:: 1 if turn % 2 else -1]
            for name in names:
                before = processor()
                with project_folder(given.count) as root:
                    whole = contenders[name](root, url, given.count)
                    run = run_seconds(root, given.count)
                taken[name].append((whole, run, processor() - before))
                print(".", end="", file=sys.stderr, flush=True)
    print(f"\n{given.count:,} cases, instant agent, {given.rounds} rounds, {load()}")
    medians = {
        name: [median(column) for column in zip(*rows, strict=True)] for name, rows in taken.items()
    }
    floor = medians["evaltui run"]
    for index, what in enumerate(("whole", "run", "processor, with the way out")):
        for name, found in medians.items():
            ratio = found[index] / floor[index]
            print(f"  {what:<28} {name:<12} {found[index]:6.2f} s  {ratio:5.2f} ×")
    print("  must: ≤ 1.5 × in `whole` and `run`, aim: ≤ 1.2 ×")


if __name__ == "__main__":
    main()
