"""Peak memory of 10,000 cases without a screen (must: ≤ 100 MiB, aim: ≤ 70).

python -m benchmarks.memory [--count 10000]
"""

import argparse
import os
import subprocess
import sys

from benchmarks.command_line import EVALTUI, is_there
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


def main() -> None:
    parser = argparse.ArgumentParser(description="peak resident memory")
    parser.add_argument("--count", type=int, default=10_000)
    count = str(parser.parse_args().count)
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


if __name__ == "__main__":
    main()
