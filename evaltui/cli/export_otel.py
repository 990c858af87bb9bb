"""`evaltui export-otel`: the events of an evidence pack as spans of OpenTelemetry."""

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from evaltui import __version__
from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json
from evaltui.cli.structured import answer, structured
from evaltui.core.json_value import JsonObject
from evaltui.disk.outputs import write_output
from evaltui.evidence.otel.event_lines import event_lines
from evaltui.evidence.otel.otlp_lines import otlp_line
from evaltui.evidence.otel.pack_events import read_cases, read_config


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
    """Write the file whole or not at all."""
    config = read_config(flags.run)
    write_output(flags.out, _lines(flags.run, config, is_otlp=flags.format == "otlp"))
    answer({"out": str(flags.out)}, flags, f"Wrote {flags.out}")
    return ExitCode.OK


def _lines(pack: Path, config: JsonObject, *, is_otlp: bool) -> Iterator[bytes]:
    for case in read_cases(pack, config):
        if is_otlp:
            yield otlp_line(config, case, version=__version__)
        else:
            yield from event_lines(config, case, version=__version__)
