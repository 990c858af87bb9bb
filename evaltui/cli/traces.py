"""`evaltui traces promote`: a message of a trace becomes a case of an eval file."""

import os
import sys
from argparse import Namespace
from pathlib import Path

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import AddCommand, add_json
from evaltui.cli.named_suite import read_named_suite
from evaltui.cli.structured import answer, structured
from evaltui.core.case import Case
from evaltui.core.did_you_mean import did_you_mean
from evaltui.core.errors import UserError
from evaltui.core.file_edit import FileEdit
from evaltui.disk.file_edits import apply_edit
from evaltui.disk.file_lock import writing_in
from evaltui.files import leads_out, read_file
from evaltui.reporters.ansi import plain_lines


def add(add_command: AddCommand) -> None:
    parser = add_command("traces", help="turn traces into cases")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    what = "add a message of a trace to an eval file as a case, with its calls and their results"
    promote = actions.add_parser("promote", help=what)
    add = promote.add_argument
    add("--suite", required=True, type=Path, metavar="FILE", help="the suite of traces")
    add("--case", required=True, metavar="ID", help="case of that suite")
    what = "position of the event, from 0; default: the user's first message"
    add("--event", type=int, metavar="N", help=what)
    what = "eval file to add to; created if it does not exist"
    add("--to", required=True, type=Path, metavar="FILE", help=what)
    add("--id", default="", metavar="ID", help="id of the new case; default: made from the trace's")
    add("--yes", action="store_true", help="write it without asking")
    add_json(promote, "one line of JSON")


@structured
def run(flags: Namespace) -> int:
    """Exit code 1 too where nothing was written, since nobody agreed to it."""
    here, place = Path.cwd(), Path(os.path.normpath(Path.cwd() / flags.to))
    if place.is_relative_to(here) and (elsewhere := leads_out(place, here)):
        what = f"`{flags.to}` is a link that leads out of this folder, to {elsewhere}."
        raise UserError(what, "Name that file itself, if it is the one you mean.")
    case = _case(flags.suite, flags.case)
    shown = _edit(flags, case)
    is_asked = sys.stdin.isatty() and sys.stdout.isatty() and not flags.json
    if not flags.json:
        text = "\n".join([f"{shown.title}, in {flags.to}", *shown.diff, *shown.left_out])
        sys.stdout.write("\n".join(plain_lines(text)) + "\n")
    if not flags.yes and not (is_asked and _agrees()):
        if not is_asked:
            raise UserError("Nothing was written.", "`--yes` writes what is shown.")
        sys.stdout.write("Nothing was written.\n")
        return ExitCode.FAILED
    with writing_in(flags.to.resolve().parent):  # what others added meanwhile stays
        edit = _edit(flags, case)
        apply_edit(edit)
    if flags.json:
        output = {"file": str(flags.to), "title": edit.title, "diff": edit.diff}
        answer({**output, "left_out": edit.left_out}, flags, "")
    else:
        sys.stdout.write(f"Wrote {flags.to}\n")
    return ExitCode.OK


def _edit(flags: Namespace, case: Case) -> FileEdit:
    from evaltui.formats.promotion import promote

    try:
        content: bytes | None = read_file(flags.to)
    except FileNotFoundError:
        content = None
    return promote(flags.to, content, case, flags.event, flags.id)


def _case(file: Path, id_: str) -> Case:
    suite = read_named_suite(file)
    ids: list[str] = []
    for case in suite.cases():
        if case.id == id_:
            return case
        ids.append(case.id)
    hint = did_you_mean(id_, ids) or "`evaltui check` names the suites that there are."
    raise UserError(f"{file} has no case `{id_}`.", hint)


def _agrees() -> bool:
    sys.stdout.write("Write it? [y/N] ")
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
