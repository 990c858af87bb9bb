"""What a user waits for before anything happens.

    python -m benchmarks.startup [--rounds 15]

`--version` against `python -c pass` (must: ≤ 3 ×, aim: ≤ 2 ×), and the run of one case over HTTP
against a bare client that sends one request (must: ≤ 3 ×, aim: ≤ 1.6 ×), all from start to exit.
"""

import argparse
import sys

from benchmarks.command_line import EVALTUI, run_project
from benchmarks.contenders import interleaved, show, wall_seconds
from benchmarks.project_folder import project_folder
from benchmarks.servers import running_server


def main() -> None:
    parser = argparse.ArgumentParser(description="from start to exit")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    rows = interleaved(
        {
            "python -c pass": lambda: wall_seconds(sys.executable, "-c", "pass"),
            "evaltui --version": lambda: wall_seconds(*EVALTUI, "--version"),
        },
        options.rounds,
    )
    show("--version", rows, "python -c pass")
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
