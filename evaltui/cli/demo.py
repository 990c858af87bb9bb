"""`evaltui demo`: the sample project, copied to a temporary folder, run for real."""

import shutil
import sys
import tempfile
from argparse import SUPPRESS, Namespace
from pathlib import Path

from evaltui.assets import asset_folder
from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand
from evaltui.disk.own_folder import NAME


def add(add_command: AddCommand) -> None:
    parser = add_command("demo", help="try evaltui on a copy of the sample project")
    parser.add_argument("--plain", action="store_true", help="run without the dashboard")
    parser.add_argument("--theme", default=SUPPRESS, help="colour theme of the dashboard")
    parser.add_argument(
        "--ascii", action="store_true", default=SUPPRESS, help="draw with ASCII characters only"
    )


def run(flags: Namespace) -> int:
    """The dashboard on a terminal, else one run of all cases. The copy stays for the user."""
    folder = Path(tempfile.mkdtemp(prefix="evaltui-demo-")) / "sample_evals"
    own = shutil.ignore_patterns(NAME, "results")
    shutil.copytree(asset_folder("sample_evals"), folder, ignore=own)
    from evaltui.cli.parser import parse

    if not flags.plain and sys.stdout.isatty() and sys.stdin.isatty():
        from evaltui.cli.dashboard import run as run_dashboard

        options = parse(["-C", str(folder)])
        options.ascii = getattr(flags, "ascii", False)
        options.theme = getattr(flags, "theme", None)
        options.guide = True
        return run_dashboard(options)
    from evaltui.cli.run import run as run_cases

    options = parse(["run", "-C", str(folder), "--fail-on", "never"])
    code = run_cases(options)
    sys.stdout.write(
        f"\nThis was the sample project in {folder}\n"
        "Its failures are real: the embedded agent read the tool descriptions and chose wrongly.\n"
        f"Open the dashboard on it with: evaltui -C {folder}\n"
    )
    return ExitCode(code)
