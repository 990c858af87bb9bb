"""`evaltui trust`: shows what the settings run, send and reach outside, and asks to agree to it."""

import sys
from argparse import Namespace
from collections.abc import Iterable

from msgspec.structs import asdict

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json, add_project_flags
from evaltui.cli.settings import read_settings
from evaltui.core.errors import Problem, UserError
from evaltui.core.permit import Grant
from evaltui.project.trust import agree, all_grants, kept_permit, revoke
from evaltui.reporters.ansi import json_text, plain


def add(add_command: AddCommand) -> None:
    parser = add_command(
        "trust", help="show what this project's settings run and send, and agree to it"
    )
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--list", action="store_true", help="show it without asking")
    choice.add_argument("--yes", "-y", action="store_true", help="agree without being asked")
    choice.add_argument("--revoke", action="store_true", help="withdraw your agreement")
    add_json(parser)
    add_project_flags(parser)


def run(flags: Namespace) -> int:
    """Show and ask. Raises UserError where there is nobody to ask, and for mistakes in settings."""
    config = read_settings(flags).config
    write = sys.stdout.write
    if flags.revoke:
        write("Your agreement was withdrawn.\n" if revoke(config) else "Nothing was agreed to.\n")
        return ExitCode.OK
    grants = all_grants(config)
    missing = kept_permit(config, _say_damage).missing(grants)
    if flags.json:
        rows = [asdict(one) | {"isAgreed": one not in missing} for one in grants]
        write(json_text({"root": str(config.root), "grants": rows}, indent=2) + "\n")
    else:
        write(f"{plain(str(config.root))}\n")
        for one in grants:
            write(f"  {'!' if one in missing else '✓'} {plain(str(one))}\n")
    if flags.list or (flags.json and not flags.yes):
        return ExitCode.OK
    if not missing:
        write("There is nothing to agree to.\n" if not grants else "You agreed to all of it.\n")
        return ExitCode.OK
    if not flags.yes and not _agrees(grants):
        write("Nothing was agreed to.\n")
        return ExitCode.OK
    path = agree(config.root, grants)
    if not flags.json:
        write(f"Agreed, until one of these changes; kept in {plain(str(path))}\n")
    return ExitCode.OK


def _say_damage(problem: Problem) -> None:
    sys.stderr.write(f"{plain(str(problem))}\n")


def _agrees(grants: Iterable[Grant]) -> bool:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UserError(
            "There is nobody to ask.", "`evaltui trust --yes` agrees, `--list` only shows it."
        )
    if any(one.kind == "run" for one in grants):
        sys.stdout.write("Programs get your environment, and do whatever their code does.\n")
    sys.stdout.write("Agree to all of this? [y/N] ")
    sys.stdout.flush()
    return sys.stdin.readline().lower() in ("y\n", "yes\n")
