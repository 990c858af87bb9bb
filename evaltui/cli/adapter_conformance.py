"""`evaltui adapter-conformance`: whether a folder of exports is imported whole."""

from argparse import ArgumentParser, ArgumentTypeError, BooleanOptionalAction, Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json, whole_number
from evaltui.cli.structured import answer, structured
from evaltui.disk.outputs import write_output
from evaltui.traces.importers.conformance import check_folder
from evaltui.traces.wire import pretty

FOLDER = Path("tests") / "fixtures" / "adapters"


def add(add_command: AddCommand) -> None:
    what = "check the importers of traces with a folder of exports"
    parser = add_command("adapter-conformance", help=what)
    add_fixture_flags(parser, "--fixtures-dir")
    help_ = "fail if anything in an export would be left out (default: yes)"
    parser.add_argument("--strict-import", action=BooleanOptionalAction, default=True, help=help_)


def add_fixture_flags(parser: ArgumentParser, name: str) -> None:
    """Flags for the folder of exports and for the report."""
    what = "folder of exports whose names begin with their provider (default: %(default)s)"
    parser.add_argument(name, type=Path, default=FOLDER, metavar="DIR", help=what)
    what = "fewest exports per provider (default: %(default)s)"
    flag = "--min-fixtures-per-provider"
    parser.add_argument(flag, type=_least, default=2, metavar="N", help=what)
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="write the report to this file too"
    )
    add_json(parser, "one line of JSON")


def _least(text: str) -> int:
    """Raises ValueError."""
    least = whole_number(text)
    if least < 0:
        raise ArgumentTypeError(f"{least} is below 0")
    return least


@structured
def run(flags: Namespace) -> int:
    """Exit code 1 when an export is not imported whole, or there are too few."""
    least = flags.min_fixtures_per_provider
    report = check_folder(flags.fixtures_dir, least=least, is_strict=flags.strict_import)
    return tell(report, flags, said(report))


def tell(report: Mapping[str, Any], flags: Namespace, text: str) -> int:
    """Write and answer a report; the exit code says whether it passed."""
    if flags.out:
        write_output(flags.out, pretty(report))
    answer(report, flags, text)
    return ExitCode.OK if report["passed"] else ExitCode.FAILED


def said(report: Mapping[str, Any]) -> str:
    """A line for each provider, and what is wrong below it."""
    lines = []
    for name, one in report["providers"].items():
        own = [failure for failure in report["failures"] if failure["provider"] == name]
        mark = "failed" if own else "passed"
        lines.append(
            f"{name:<10} {mark}  {one['fixtures_passed']} of {one['fixtures_total']} exports"
        )
        lines += [f"  {error}" for error in one["errors"]]
        lines += [
            f"  {failure['actual']} exports, but {failure['required']} are required"
            for failure in own
            if failure["type"] == "insufficient_fixtures"
        ]
    if any(failure["type"] == "no_fixtures" for failure in report["failures"]):
        lines.append("there is no export whose name begins with that of a provider")
    return "\n".join([*lines, f"{report['fixtures_dir']}: {_word(report)}"])


def _word(report: Mapping[str, Any]) -> str:
    return "passed" if report["passed"] else "failed"
