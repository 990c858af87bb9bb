"""What both importing commands share: flags, reading, writing, what they answer."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path

from evaltui.cli.exit_code import ExitCode
from evaltui.cli.flags import add_json
from evaltui.cli.structured import answer, structured
from evaltui.core.errors import Problem, UserError
from evaltui.disk.atomic import write_atomic
from evaltui.files import RESULTS_LIMIT, read_file
from evaltui.traces.importers.importing import Imported, Source, import_records
from evaltui.traces.importers.records import Records, read_records
from evaltui.traces.mistakes import SuiteMistake
from evaltui.traces.reading import decode_json
from evaltui.traces.wire import pretty

MOST_SHOWN = 20
"""Diagnostics on a terminal; all of them are in the suite."""


def add_import_flags(
    parser: ArgumentParser, kind: str, names: Iterable[str], *, dataset_id: str
) -> None:
    add = parser.add_argument
    what = f"{kind} of the records; auto detects it for each record"
    add(f"--{kind}", choices=("auto", *sorted(names)), default="auto", help=what)
    add(
        "--input",
        required=True,
        type=Path,
        metavar="FILE",
        help="export to read: JSON, or JSON lines (.jsonl)",
    )
    add("--out", required=True, type=Path, metavar="FILE", help="suite to write")
    add("--strict", action="store_true", help="fail if anything would be left out")
    what = "id of the data set; default: %(default)s"
    add("--dataset-id", default=dataset_id, metavar="ID", help=what)
    add("--case-prefix", default="case", metavar="TEXT", help="beginning of the cases' ids")
    what = "write what could not be carried over to this file"
    add("--diagnostics-out", type=Path, metavar="FILE", help=what)
    add_json(parser, "one line of JSON")
    parser.set_defaults(kind=kind)


def run_import(flags: Namespace, source: Source) -> int:
    """Import, write and tell."""
    return structured(lambda given: _run(given, source))(flags)


def _run(flags: Namespace, source: Source) -> int:
    file = str(flags.input)
    if not flags.dataset_id:
        raise UserError("`--dataset-id` is empty.", "Give the suite a name.")
    records = _read(flags.input)
    found = import_records(file, records, source, flags.dataset_id, case_prefix=flags.case_prefix)
    listed = [one.document() for one in found.diagnostics]
    if flags.diagnostics_out:
        document = {"input": file, "dataset_id": flags.dataset_id, "diagnostics": listed}
        write_atomic(flags.diagnostics_out, pretty(document))
    lost = [one.problem() for one in found.diagnostics if one.is_loss]
    if flags.strict and lost:
        raise _refusal(file, lost)
    if found.cases:
        write_atomic(flags.out, pretty(found.suite(flags.dataset_id, source, file)))
    report = {
        "out": str(flags.out),
        "dataset_id": flags.dataset_id,
        "cases": len(found.cases),
        f"{source.kind}_case_counts": found.counts,
        "diagnostics_count": len(listed),
    }
    if found.advice:
        report["hint"] = found.advice
    answer(report, flags, _said(flags, found))
    return ExitCode.OK if found.cases else ExitCode.FAILED


def _read(path: Path) -> Records:
    """Raises OSError, and SuiteMistake when it is no JSON."""
    content = read_file(path, RESULTS_LIMIT)
    records = read_records(str(path), content)
    if isinstance(records, Problem):
        decode_json(content, str(path))
        raise SuiteMistake(str(path), "", records.what, records.hint)
    return records


def _refusal(file: str, lost: Sequence[Problem]) -> UserError:
    what = f"{file}: {len(lost)} thing(s) in it would be left out."
    return UserError(what, "Without `--strict` the rest is imported.", lost)


def _said(flags: Namespace, found: Imported) -> str:
    problems = [str(one.problem()) for one in found.diagnostics]
    lines = problems[:MOST_SHOWN]
    if len(problems) > MOST_SHOWN:
        rest = len(problems) - MOST_SHOWN
        lines.append(f"and {rest} more; `--diagnostics-out FILE` writes them all")
    if not found.cases:
        why = f"; {found.advice}" if found.advice else ""
        return "\n".join([*lines, f"{flags.input}: no case in it; nothing was written{why}"])
    whose = ", ".join(f"{count} of {name}" for name, count in found.counts.items())
    lines.append(f"Wrote {flags.out}: {len(found.cases)} case(s), {whose}")
    if lost := found.dropped:
        lines.append(f"{lost} of {lost + len(found.cases)} records gave no case")
    return "\n".join(lines)
