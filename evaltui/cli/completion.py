"""`evaltui completion`: a script for the shell, made from the parser itself."""

import sys
from argparse import Namespace

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand


def add(add_command: AddCommand) -> None:
    parser = add_command("completion", help="print a shell completion script")
    parser.add_argument("shell", choices=("bash", "zsh", "tcsh"))


def run(flags: Namespace) -> int:
    import shtab

    from evaltui.cli.parser import make_parser

    sys.stdout.write(shtab.complete(make_parser(), shell=flags.shell) + "\n")
    return ExitCode.OK
