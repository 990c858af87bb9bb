"""`evaltui report markdown`: comparison, gate and replay as a page for people."""

from argparse import Namespace
from pathlib import Path
from typing import Any

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json
from evaltui.cli.structured import answer, structured
from evaltui.core.errors import UserError
from evaltui.disk.outputs import write_output
from evaltui.traces.reading import decode_file


def add(add_command: AddCommand) -> None:
    parser = add_command("report", help="make a page of a comparison")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    page = actions.add_parser("markdown", help="as Markdown")
    add = page.add_argument
    add("--compare", required=True, type=Path, metavar="FILE", help="what `compare` wrote")
    add("--gate", type=Path, metavar="FILE", help="what `gate` wrote")
    add("--replay", type=Path, metavar="FILE", help="what a replay wrote")
    add("--out", required=True, type=Path, metavar="FILE", help="the page")
    add("--title", default="Agent Eval Report", metavar="TEXT", help="its heading")
    add_json(page)


@structured
def run(flags: Namespace) -> int:
    from evaltui.evidence.markdown import markdown

    text = markdown(
        _read(flags.compare),
        gate=flags.gate and _read(flags.gate),
        replay=flags.replay and _read(flags.replay),
        title=flags.title,
    )
    write_output(flags.out, text.encode())
    answer({"out": str(flags.out)}, flags, f"Wrote {flags.out}")
    return ExitCode.OK


def _read(path: Path) -> dict[str, Any]:
    found = decode_file(path)
    if not isinstance(found, dict):
        raise UserError(f"`{path}` holds no report.", "Name what the command wrote.")
    return found
