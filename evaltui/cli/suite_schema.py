"""`evaltui schema validate` and `migrate`: suites of traces and the versions of their schema."""

from argparse import Namespace
from pathlib import Path
from typing import Any

from msgspec.structs import asdict

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json
from evaltui.cli.structured import answer, structured
from evaltui.disk.outputs import write_output
from evaltui.files import RESULTS_LIMIT, read_file
from evaltui.traces.migration import migrate
from evaltui.traces.reading import VERSION, VERSIONS, decode_once
from evaltui.traces.validation import Validation, validate
from evaltui.traces.wire import pretty


def add_actions(add_action: AddCommand) -> None:
    check = add_action("validate", help="check a suite of traces against its schema")
    check.add_argument("--input", required=True, type=Path, metavar="FILE", help="the suite")
    check.add_argument("--strict", action="store_true", help="fail on unknown keys too")
    check.add_argument(
        "--require-version",
        default="",
        metavar="V",
        help=f"version that the suite must have, e.g. {VERSION}",
    )
    add_json(check)
    move = add_action("migrate", help="convert a suite of traces to another version of its schema")
    move.add_argument("--input", required=True, type=Path, metavar="FILE", help="the suite")
    move.add_argument("--output", required=True, type=Path, metavar="FILE", help="suite to write")
    move.add_argument(
        "--target-version",
        choices=VERSIONS,
        default=VERSION,
        help="version to convert to (default: %(default)s)",
    )
    add_json(move)


@structured
def run_validate(flags: Namespace) -> int:
    """Exit code 1 when the suite is not valid."""
    found = validate(_read(flags.input), strict=flags.strict, require_version=flags.require_version)
    answer({**asdict(found), "input": str(flags.input)}, flags, _said(flags.input, found))
    return ExitCode.OK if found.passed else ExitCode.FAILED


@structured
def run_migrate(flags: Namespace) -> int:
    """Exit code 1, and nothing written, when what comes of it is not valid."""
    moved = migrate(_read(flags.input), target=flags.target_version, file=str(flags.input))
    found = validate(moved)
    if found.passed:
        write_output(flags.output, pretty(moved))
    report = {
        "input": str(flags.input),
        "output": str(flags.output),
        "target_version": flags.target_version,
        "validation": asdict(found),
    }
    said = f"Wrote {flags.output}" if found.passed else f"Wrote nothing to {flags.output}"
    answer(report, flags, f"{_said(flags.input, found)}\n{said}")
    return ExitCode.OK if found.passed else ExitCode.FAILED


def _read(path: Path) -> Any:
    return decode_once(read_file(path, RESULTS_LIMIT), str(path))


def _said(path: Path, found: Validation) -> str:
    lines = [f"{path}: {'valid' if found.passed else 'not valid'}"]
    lines += [f"  error: {one}" for one in found.errors]
    lines += [f"  warning: {one}" for one in found.warnings]
    return "\n".join(lines)
