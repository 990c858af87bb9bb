"""Dispatches a command, and turns every way to fail into its exit code."""

import sys
from collections.abc import Sequence
from importlib import import_module
from time import time
from typing import TYPE_CHECKING

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.standard_streams import discard_stdout, guard_standard_streams
from evaltui.core.errors import EvaltuiError, UserError

if TYPE_CHECKING:
    from argparse import Namespace
    from pathlib import Path


def run_command(argv: Sequence[str]) -> int:
    """Run one command line; errors go to stderr, as one JSON line with `--json`.

    The code is the same whether somebody reads what is printed or not.
    """
    guard_standard_streams()
    if sys.stdout is None:
        return _unprintable("it is closed")
    try:
        from evaltui.cli.parser import module_of, parse

        flags = parse(argv)
    except SystemExit as stop:
        if stop.code and "gate" in argv:
            from evaltui.cli.gate import not_decided

            not_decided(argv)
        return _ended(int(stop.code or 0))
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    is_json, began = bool(getattr(flags, "json", False)), time()
    _accept_any_text()
    try:
        if flags.version:
            code = _tell_version()
        else:
            command = import_module(f"evaltui.cli.{module_of(flags.command or 'dashboard')}")
            code = int(command.run(flags))
        sys.stdout.flush()
        return code
    except EvaltuiError as error:
        from evaltui.cli.complaint import complain

        complain(error if isinstance(error, UserError) else UserError(str(error)), is_json=is_json)
        return ExitCode.USAGE
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except Exception as error:
        if isinstance(error, FileNotFoundError) and _is_folder_gone():
            from evaltui.cli.complaint import complain

            hint = "Change into one that exists, or name the project's with -C and its whole path."
            complain(UserError("The folder you work in is gone.", hint), is_json=is_json)
            return ExitCode.USAGE
        if isinstance(error, OSError) and not error.filename and (why := _fault_of_stdout()):
            return _unprintable(why)
        _report_bug(error, _journal(flags, began), is_json=is_json)
        return ExitCode.BUG


def _tell_version() -> int:
    from evaltui import __version__

    sys.stdout.write(f"evaltui {__version__}\n")
    return ExitCode.OK


def _is_folder_gone() -> bool:
    """Whether the working folder was removed: a command asks for it wherever it resolves a path."""
    from pathlib import Path

    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    return False


def _fault_of_stdout() -> str:
    """Why standard output cannot be written, e.g. because the disk is full; empty when it can."""
    try:
        # What could not be written may be gone from the buffer: only another try can tell.
        sys.stdout.write("\n")
        sys.stdout.flush()
    except OSError as error:
        discard_stdout()
        return error.strerror or type(error).__name__
    return ""


def _ended(code: int) -> int:
    """The code of what is over, once what it printed is written."""
    try:
        sys.stdout.flush()
    except OSError:
        if why := _fault_of_stdout():
            return _unprintable(why)
    return code


def _unprintable(why: str) -> int:
    sys.stderr.write(f"evaltui: Standard output cannot be written: {why}. Send it elsewhere.\n")
    return ExitCode.USAGE


def _journal(flags: "Namespace", since: float) -> "Path | None":
    """What the command recorded of its run; `None` where it recorded nothing, or where the bug is
    in finding the project."""
    from contextlib import suppress

    with suppress(Exception):
        from evaltui.cli.settings import read_settings
        from evaltui.disk.journal.journal import newest_journal
        from evaltui.disk.own_folder import own_folder

        root = read_settings(flags, lenient=True).config.root
        return newest_journal(own_folder(root) / "runs", since)
    return None


def _report_bug(error: Exception, journal: "Path | None", *, is_json: bool) -> None:
    if is_json:
        import json

        from evaltui.reporters.ansi import inert_json

        body = {"code": "internal", "message": f"{type(error).__name__}: {error}"}
        if journal is not None:
            body["journal"] = str(journal)
        sys.stderr.write(inert_json(json.dumps({"error": body})) + "\n")
        return
    import traceback

    traceback.print_exc()
    kept = f"What was running is in {journal}; " if journal is not None else ""
    please = f"{'please' if kept else 'Please'} report it with the lines above."
    sys.stderr.write(f"evaltui: this is a bug in evaltui. {kept}{please}\n")


def _accept_any_text() -> None:
    """What the terminal's encoding lacks is written as an escape: no report may break off at it."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
