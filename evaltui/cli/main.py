"""Dispatches a command, and turns every way to fail into its exit code."""

import json
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from evaltui.cli.exit_code import ExitCode
from evaltui.core.errors import UserError

if TYPE_CHECKING:
    from argparse import Namespace

COMMANDS = {
    "": "evaltui.cli.dashboard:run",
    "run": "evaltui.cli.run:run",
    "tools": "evaltui.cli.tools:run",
    "check": "evaltui.cli.check:run",
    "baseline": "evaltui.cli.baseline:run",
    "init": "evaltui.cli.init:run",
    "demo": "evaltui.cli.demo:run",
    "completion": "evaltui.cli.completion:run",
}


def run_command(argv: Sequence[str]) -> int:
    """Run one command line; errors go to stderr, as one JSON line with `--json`."""
    from evaltui.cli.parser import make_parser

    try:
        flags = make_parser().parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or 0)
    if flags.version:
        from evaltui import __version__

        sys.stdout.write(f"evaltui {__version__}\n")
        return ExitCode.OK
    is_json = bool(getattr(flags, "json", False))
    try:
        return _command(flags.command or "")(flags)
    except UserError as error:
        _complain(error, is_json)
        return ExitCode.USAGE
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        _close_stdout()
        return ExitCode.OK
    except Exception as error:
        _confess(error, is_json)
        return ExitCode.BUG


def _command(name: str) -> "Callable[[Namespace], int]":
    module, _, function = COMMANDS[name].partition(":")
    command: Callable[[Namespace], int] = getattr(import_module(module), function)
    return command


def _complain(error: UserError, is_json: bool) -> None:
    if is_json:
        body = {
            "code": "usage",
            "message": error.what,
            "hint": error.hint,
            "problems": [str(problem) for problem in error.problems],
        }
        sys.stderr.write(json.dumps({"error": body}, ensure_ascii=False) + "\n")
        return
    for problem in error.problems:
        sys.stderr.write(f"{problem}\n")
    sys.stderr.write(f"evaltui: {error}\n")


def _confess(error: Exception, is_json: bool) -> None:
    if is_json:
        body = {"code": "internal", "message": f"{type(error).__name__}: {error}"}
        sys.stderr.write(json.dumps({"error": body}, ensure_ascii=False) + "\n")
        return
    traceback.print_exc()
    sys.stderr.write(
        "evaltui: this is a mistake of evaltui's own. What finished is in `.evaltui/runs`; "
        "please report it with the lines above.\n"
    )


def _close_stdout() -> None:
    """Nobody reads on; stop the interpreter from complaining when it flushes."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
