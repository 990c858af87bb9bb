"""`evaltui import-framework`: what agent frameworks export, as a suite of traces."""

from argparse import Namespace

from evaltui.cli.flags import AddCommand
from evaltui.cli.importing import add_import_flags, run_import
from evaltui.traces.importers import FRAMEWORKS, PROVIDERS
from evaltui.traces.importers.importing import Source


def add(add_command: AddCommand) -> None:
    parser = add_command(
        "import-framework", help="turn a framework's export into a suite of traces"
    )
    dataset = "framework-imported-suite"
    add_import_flags(parser, "framework", FRAMEWORKS, dataset_id=dataset)


def run(flags: Namespace) -> int:
    """Exit code 1 when no case came of it, or with `--strict` not all of it."""
    source = Source(
        FRAMEWORKS,
        flags.framework,
        "framework",
        "gen_ai.framework",
        others=PROVIDERS,
        command="import-trace",
    )
    return run_import(flags, source)
