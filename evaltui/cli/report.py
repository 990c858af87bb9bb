"""`evaltui report markdown`: comparison, gate and replay as a page for people."""

from argparse import Namespace
from pathlib import Path

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json
from evaltui.cli.structured import answer, structured
from evaltui.disk.outputs import write_output


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
    from evaltui.evidence.compared.compare_report import read_report
    from evaltui.evidence.compared.told_reports import ReplayReport, ToldDecision, WholeReport
    from evaltui.evidence.markdown import markdown

    text = markdown(
        read_report(flags.compare, WholeReport),
        gate=read_report(flags.gate, ToldDecision) if flags.gate else None,
        replay=read_report(flags.replay, ReplayReport) if flags.replay else None,
        title=flags.title,
    )
    write_output(flags.out, text.encode())
    answer({"out": str(flags.out)}, flags, f"Wrote {flags.out}")
    return ExitCode.OK
