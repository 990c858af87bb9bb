"""`evaltui export-otel`: the events of an evidence pack as spans of OpenTelemetry."""

import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from evaltui import __version__
from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json
from evaltui.cli.structured import answer, structured
from evaltui.core.errors import UserError
from evaltui.core.json_value import JsonObject
from evaltui.disk.outputs import write_output
from evaltui.evidence.compared.side import refuse_doctored
from evaltui.evidence.otel.event_lines import event_lines
from evaltui.evidence.otel.otlp_lines import otlp_line
from evaltui.evidence.otel.pack_events import read_cases, read_config
from evaltui.evidence.otel.used_in_case import used_in_case
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
    write_output(flags.out, _lines(flags.run, config, is_otlp=flags.format == "otlp"))
    try:
        refuse_doctored(flags.run)
    except (OSError, UserError) as error:
        what = error.what if isinstance(error, UserError) else f"{error}."
        said = f"evaltui: warning: {what} What was exported cannot be relied on."
        sys.stderr.write(f"{plain(said)}\n")
    answer({"out": str(flags.out)}, flags, f"Wrote {flags.out}")
    return ExitCode.OK


def _lines(pack: Path, config: JsonObject, *, is_otlp: bool) -> Iterator[bytes]:
    for case in read_cases(pack, config):
        used = used_in_case(pack, case)
        if is_otlp:
            yield otlp_line(config, case, used, version=__version__)
        else:
            yield from event_lines(config, case, used, version=__version__)
