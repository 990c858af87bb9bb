"""`evaltui contracts-check`: older suites can be read, and exports are imported completely."""

from argparse import Namespace
from pathlib import Path

from evaltui.cli.adapter_conformance import add_fixture_flags, said, tell
from evaltui.cli.flags import AddCommand
from evaltui.cli.structured import structured
from evaltui.traces.importers.conformance import check_folder
from evaltui.traces.older_suites import check_older_suites

FOLDER = Path("tests") / "fixtures" / "schema_backcompat"


def add(add_command: AddCommand) -> None:
    parser = add_command(
        "contracts-check", help="check that older suites and exports can still be read"
    )
    what = "folder of suites in older versions (default: %(default)s)"
    parser.add_argument(
        "--schema-fixtures-dir", type=Path, default=FOLDER, metavar="DIR", help=what
    )
    add_fixture_flags(parser, "--adapter-fixtures-dir")


@structured
def run(flags: Namespace) -> int:
    """Exit code 1 when either does not hold."""
    older = check_older_suites(flags.schema_fixtures_dir)
    least = flags.min_fixtures_per_provider
    adapters = check_folder(flags.adapter_fixtures_dir, least=least, is_strict=True)
    parts = {"schema_backcompat": older, "adapter_conformance": adapters}
    failures = [{"contract": name} | one for name, own in parts.items() for one in own["failures"]]
    report = {"passed": not failures, **parts, "failures": failures}
    suites = older["fixture_reports"]
    lines = [f"{one['fixture']}: {error}" for one in suites for error in one["errors"]]
    word = "passed" if older["passed"] else "failed"
    lines.append(f"{older['fixtures_dir']}: {word}, {len(suites)} suites")
    return tell(report, flags, "\n".join([*lines, said(adapters)]))
