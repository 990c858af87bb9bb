"""What a user waits for before anything happens.

    python -m benchmarks.startup [--rounds 15]

`--version` (must: ≤ 1.5 ×, aim: 1 ×) and `check` of the sample project (must: ≤ 25 ×, aim: ≤ 15 ×)
against `python -c pass`, and the run of one case over HTTP against a bare client that sends one
request (must: ≤ 4.5 ×, aim: ≤ 2.5 ×), all from start to exit.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks.command_line import EVALTUI, run_project
from benchmarks.contenders import interleaved, show, wall_seconds
from benchmarks.project_folder import project_folder
from benchmarks.servers import ROOT, running_server

FLOOR = "python -c pass"


def main() -> None:
    parser = argparse.ArgumentParser(description="from start to exit")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="evaltui-sample-") as folder:
        sample = Path(folder, "sample")
        shutil.copytree(ROOT / "sample_evals", sample)
        rows = interleaved(
            {
                FLOOR: lambda: wall_seconds(sys.executable, "-c", "pass"),
                "evaltui --version": lambda: wall_seconds(*EVALTUI, "--version"),
                "evaltui check": lambda: wall_seconds(*EVALTUI, "check", cwd=sample),
            },
            options.rounds,
        )
    show("--version and check of the sample project", rows, FLOOR)
    with running_server() as url, project_folder(1) as root:
        bare = (sys.executable, "-m", "benchmarks.clients", "raw", url, "1", "1")
        rows = interleaved(
            {
                "bare raw client": lambda: wall_seconds(*bare),
                "evaltui run": lambda: run_project(root, url, 1),
            },
            options.rounds,
        )
    show("one case over HTTP", rows, "bare raw client")


if __name__ == "__main__":
    main()
