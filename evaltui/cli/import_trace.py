"""`evaltui import-trace`: what providers export, as a suite of traces."""

from argparse import Namespace

from evaltui.cli.flags import AddCommand
from evaltui.cli.importing import add_import_flags, run_import
from evaltui.traces.importers import PROVIDERS
from evaltui.traces.importers.importing import Source


def add(add_command: AddCommand) -> None:
    parser = add_command("import-trace", help="make a suite of traces of a provider's export")
    add_import_flags(parser, "provider", PROVIDERS, dataset_id="imported-suite")


def run(flags: Namespace) -> int:
    """Exit code 1 when no case came of it, or with `--strict` not all of it."""
    return run_import(flags, Source(PROVIDERS, flags.provider))
