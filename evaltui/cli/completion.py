"""`evaltui completion`: a script for the shell, made from the parser itself."""

import sys
from argparse import Namespace

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.parser import make_parser


def run(flags: Namespace) -> int:
    import shtab

    sys.stdout.write(shtab.complete(make_parser(), shell=flags.shell) + "\n")
    return ExitCode.OK
