"""`evaltui merge`: the packs of `run --suite … --shard i/n` become the pack of the whole run."""

from argparse import Namespace
from pathlib import Path

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json
from evaltui.cli.run_suite import tell
from evaltui.cli.structured import structured


def add(add_command: AddCommand) -> None:
    parser = add_command("merge", help="merge the parts of a run into one evidence pack")
    add = parser.add_argument
    add("packs", nargs="+", type=Path, metavar="DIR", help="every pack that `run --shard` wrote")
    add("--out", required=True, type=Path, metavar="DIR", help="folder to write the pack to")
    add("--summary-json", type=Path, metavar="FILE", help="write the summary to this file too")
    add_json(parser)


@structured
def run(flags: Namespace) -> int:
    """Exit code 0 also when cases failed."""
    from evaltui.cli.pack_trust import remember_merged
    from evaltui.evidence.packs.merging import merge

    scored = merge(flags.packs, flags.out)
    remember_merged(flags.packs, flags.out)
    tell(scored, flags)
    return ExitCode.OK
