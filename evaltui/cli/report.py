"""`evaltui report markdown`: comparison, gate and replay as a page for people."""

from argparse import Namespace
from pathlib import Path

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json
from evaltui.cli.structured import answer, structured
from evaltui.disk.outputs import write_output


def add(add_command: AddCommand) -> None:
    parser = add_command("report", help="write a comparison as a page")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    page = actions.add_parser("markdown", help="write it as Markdown")
    add = page.add_argument
    add("--compare", required=True, type=Path, metavar="FILE", help="report that `compare` wrote")
    add("--gate", type=Path, metavar="FILE", help="decision that `gate` wrote")
    add("--replay", type=Path, metavar="FILE", help="report that `replay` or `replay-exec` wrote")
    add("--out", required=True, type=Path, metavar="FILE", help="page to write")
    add("--title", default="Agent Eval Report", metavar="TEXT", help="heading of the page")
    add_json(page)


@structured
def run(flags: Namespace) -> int:
    from evaltui.evidence.compared.compare_report import read_report
    from evaltui.evidence.compared.shown_reports import ReplayReport, ShownDecision, WholeReport
    from evaltui.evidence.markdown import markdown

    text = markdown(
        read_report(flags.compare, WholeReport),
        gate=read_report(flags.gate, ShownDecision) if flags.gate else None,
        replay=read_report(flags.replay, ReplayReport) if flags.replay else None,
        title=flags.title,
    )
    write_output(flags.out, text.encode())
    answer({"out": str(flags.out)}, flags, f"Wrote {flags.out}")
    return ExitCode.OK
