"""`evaltui merge`: the packs of `run --suite … --shard i/n` become the pack of the whole run."""

from argparse import Namespace
from pathlib import Path

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json
from evaltui.cli.run_suite import tell
from evaltui.cli.structured import structured


def add(add_command: AddCommand) -> None:
    parser = add_command("merge", help="make one evidence pack of the parts of a run")
    add = parser.add_argument
    add("packs", nargs="+", type=Path, metavar="DIR", help="what `run --shard` wrote, all of it")
    add("--out", required=True, type=Path, metavar="DIR", help="where the pack is written")
    add("--summary-json", type=Path, metavar="FILE", help="write the summary there too")
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
