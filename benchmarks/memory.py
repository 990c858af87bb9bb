"""Peak memory of 10,000 cases without a screen (must: ≤ 100 MiB, aim: ≤ 70), and of the dashboard
with 20,000 cases in 300 files after all of them were run, twice (must: < 200 MiB).

    python -m benchmarks.memory [--count 10000] [--shown 20000]

Of the dashboard it is the highest mark of every process of its tree, added up.
"""

import argparse
import os
import subprocess
import sys

from benchmarks.clocked import clocked
from benchmarks.command_line import EVALTUI, is_there
from benchmarks.dashboard import (
    FAILING_EVERY,
    SUITES,
    failing,
    is_running,
    options,
    until_run,
)
from benchmarks.project_folder import project_folder
from benchmarks.servers import ROOT, running_server


def peak_mib(command: list[str], cwd: str) -> float:
    """Peak resident memory of one process, in MiB. Raises RuntimeError when it fails."""
    process = subprocess.Popen(
        command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command} ended with {process.returncode}")
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, KiB elsewhere
    return usage.ru_maxrss * unit / 2**20


def dashboard_mib(url: str, count: int) -> tuple[float, float]:
    """After the first start, which runs everything, and after running everything once more."""
    with (
        project_folder(count, SUITES, FAILING_EVERY) as root,
        clocked([*EVALTUI, *options(url)], root) as shown,
    ):
        until_run(shown, count, failing(count))
        shown.rest(2)  # results are recorded now
        once = shown.peak_mib
        shown.forget()
        shown.press("a")
        shown.clock(is_running)
        until_run(shown, count, failing(count))
        shown.rest(2)
        return once, shown.peak_mib


def main() -> None:
    parser = argparse.ArgumentParser(description="peak resident memory")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--shown", type=int, default=20_000)
    given = parser.parse_args()
    count = str(given.count)
    with running_server() as url, project_folder(int(count)) as root:
        own = [sys.executable, "-m"]
        rows = {
            "bare aiohttp": peak_mib(
                [*own, "benchmarks.clients", "aiohttp", url, count, "32"], str(ROOT)
            ),
            "runner alone": peak_mib(
                [*own, "benchmarks.runner_alone", url, count, "32"], str(ROOT)
            ),
        }
        if is_there():
            run = [*EVALTUI, "run", "--agent", url, "--registry", "tools.json"]
            run += ["--concurrency", "32", "--output-dir", "results"]
            rows["evaltui run"] = peak_mib(run, str(root))
    print(f"\n{count} cases, peak resident memory")
    for name, mib in rows.items():
        print(f"  {name:<20}{mib:8.1f} MiB")
    with running_server() as url:
        once, twice = dashboard_mib(url, given.shown)
    print(f"\n{given.shown} cases in {SUITES} files, dashboard, peak resident memory")
    print(f"  {'everything run once':<20}{once:8.1f} MiB")
    print(f"  {'and once more':<20}{twice:8.1f} MiB")


if __name__ == "__main__":
    main()
