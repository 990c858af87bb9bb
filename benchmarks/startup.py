"""What a user waits for before anything happens.

    python -m benchmarks.startup [--rounds 15]

`--version` (must: ≤ 1.5 ×, aim: 1 ×) and `check` of the sample project (must: ≤ 25 ×, aim: ≤ 15 ×)
against `python -c pass`, and the run of one case over HTTP against a bare client that sends one
request (must: ≤ 4.5 ×, aim: ≤ 2.5 ×), all from start to exit.

The script that pip writes for a command is not ours: an older pip imports `re` in it, which costs
as much again as answering `--version`. So the command is timed through the script of a newer pip,
and through the one that lies here.
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
SCRIPT = """\
import sys
from evaltui.__main__ import main
if __name__ == '__main__':
    sys.argv[0] = sys.argv[0].removesuffix('.exe')
    sys.exit(main())
"""
"""What a pip of today installs as the command."""


def main() -> None:
    parser = argparse.ArgumentParser(description="from start to exit")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="evaltui-sample-") as folder:
        sample = Path(folder, "sample")
        shutil.copytree(ROOT / "sample_evals", sample)
        script = Path(folder, "evaltui")
        script.write_text(SCRIPT, encoding="utf-8")
        command = (sys.executable, str(script), "--version")
        rows = interleaved(
            {
                FLOOR: lambda: wall_seconds(sys.executable, "-c", "pass"),
                "evaltui --version": lambda: wall_seconds(*command),
                "the same, as installed here": lambda: wall_seconds(*EVALTUI, "--version"),
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
