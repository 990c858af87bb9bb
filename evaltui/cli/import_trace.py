"""`evaltui import-trace`: what providers export, as a suite of traces."""

from argparse import Namespace

from evaltui.cli.flags import AddCommand
from evaltui.cli.importing import add_import_flags, run_import
from evaltui.traces.importers import FRAMEWORKS, PROVIDERS
from evaltui.traces.importers.importing import Source


def add(add_command: AddCommand) -> None:
    parser = add_command("import-trace", help="turn a provider's export into a suite of traces")
    add_import_flags(parser, "provider", PROVIDERS, dataset_id="imported-suite")


def run(flags: Namespace) -> int:
    """Exit code 1 when no case came of it, or with `--strict` not all of it."""
    source = Source(PROVIDERS, flags.provider, others=FRAMEWORKS, command="import-framework")
    return run_import(flags, source)
