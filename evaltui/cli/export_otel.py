"""`evaltui export-otel`: the events of an evidence pack as spans of OpenTelemetry."""

import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from evaltui import __version__
from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json
from evaltui.cli.structured import answer, structured
from evaltui.core.errors import UserError
from evaltui.core.json_value import Json, JsonObject
from evaltui.disk.outputs import write_output
from evaltui.evidence.compared.side import refuse_doctored
from evaltui.evidence.otel.event_lines import event_lines
from evaltui.evidence.otel.otlp_lines import otlp_line
from evaltui.evidence.otel.pack_events import Step, read_cases, read_config
from evaltui.evidence.otel.used_in_case import used_in_case
from evaltui.evidence.packs.pack_documents import case_folders
from evaltui.files import is_file, is_folder
from evaltui.reporters.ansi import plain


def add(add_command: AddCommand) -> None:
    parser = add_command("export-otel", help="write an evidence pack as OpenTelemetry spans")
    parser.add_argument("--run", required=True, type=Path, metavar="PACK", help="evidence pack")
    parser.add_argument(
        "--out", required=True, type=Path, metavar="FILE", help="file to write, in JSON lines"
    )
    what = "one span per event (default), or OTLP requests"
    parser.add_argument("--format", choices=("events", "otlp"), default="events", help=what)
    add_json(parser, "one line of JSON")


@structured
def run(flags: Namespace) -> int:
    """Write the file whole or not at all; a pack that was changed is exported, with a warning."""
    config = read_config(flags.run)
    cases = _Counted(read_cases(flags.run, config))
    write_output(flags.out, _lines(flags.run, config, cases, is_otlp=flags.format == "otlp"))
    try:
        refuse_doctored(flags.run)
    except (OSError, UserError) as error:
        what = error.what if isinstance(error, UserError) else f"{error}."
        said = f"evaltui: warning: {what} What was exported cannot be relied on."
        sys.stderr.write(f"{plain(said)}\n")
    report: dict[str, Json] = {"out": str(flags.out)}
    said = f"Wrote {flags.out}"
    if (left_out := _cases_in(flags.run) - cases.count) > 0:
        report["cases_without_events"] = left_out
        said += f"; {left_out} case(s) have no events and are not in it"
    answer(report, flags, said)
    return ExitCode.OK


class _Counted:
    """Cases, and how many of them were read."""

    def __init__(self, cases: Iterable[Sequence[Step]]) -> None:
        self._cases = cases
        self.count = 0

    def __iter__(self) -> Iterator[Sequence[Step]]:
        for case in self._cases:
            self.count += 1
            yield case


def _cases_in(pack: Path) -> int:
    """How many cases it holds, with or without events."""
    folders = case_folders(pack) if is_folder(pack / "cases") else ()
    return sum(is_file(folder / "verdicts.json") for folder in folders)


def _lines(pack: Path, config: JsonObject, cases: _Counted, *, is_otlp: bool) -> Iterator[bytes]:
    for case in cases:
        used = used_in_case(pack, case)
        if is_otlp:
            yield otlp_line(config, case, used, version=__version__)
        else:
            yield from event_lines(config, case, used, version=__version__)
