"""One side of a comparison: a pack, its report alone, or only its summary."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw, Struct, field
from msgspec.structs import replace

from evaltui.core.errors import UserError
from evaltui.core.verdict import Kind
from evaltui.disk.atomic import safe_name
from evaltui.disk.codec import decode_exactly
from evaltui.evidence.case_row import CaseRow
from evaltui.evidence.compared.compare_report import ComparedPack
from evaltui.evidence.compared.counted_cases import as_counted
from evaltui.evidence.packs.held_files import HeldFiles
from evaltui.evidence.packs.pack_hashes import MAKE_ANEW, refusal, refuse_changed
from evaltui.evidence.packs.pack_shapes import AGENT_RUN, KeptConfig, KeptSummary, held
from evaltui.files import RESULTS_LIMIT, is_folder, leads_out, read_file
from evaltui.traces.mistakes import refusal_of
from evaltui.traces.reading import decode_json, read_case

LEGACY = {
    "total": "total_cases",
    "passed": "passed_cases",
    "failed": "failed_cases",
    "hard_fail_count": "hard_fail_cases",
    "hard_failed": "hard_fail_cases",
    "judge_rates": "judge_pass_rates",
}
"""What summaries of other programs call what ours hold."""


class Side(Struct, frozen=True):
    """What is known of a run; `None` where it is not."""

    path: Path
    summary: Mapping[str, Any]
    config: Mapping[str, Any] = field(default_factory=dict)
    cases: Mapping[str, CaseRow] | None = None
    measurements: Mapping[str, Any] = field(default_factory=dict)
    """Latency and cost of all cases; of another program's packs they are not known."""
    pack: ComparedPack | None = None
    """`None` for what is none."""

    @property
    def run_id(self) -> str | None:
        return self.summary.get("run_id") or self.config.get("run_id")

    @property
    def dataset_id(self) -> str | None:
        return self.summary.get("dataset_id") or self.config.get("dataset_id")

    @property
    def judges(self) -> Sequence[str] | None:
        found = self.config.get("judges")
        return found if isinstance(found, list) else None


class _Report(Struct):
    summary: dict[str, Any]
    cases: list[CaseRow] = []
    run_config: dict[str, Any] = {}
    measurements: dict[str, Any] = {}


class _Texts(Struct):
    """The same report, each case as it is written."""

    cases: list[Raw] = []


def read_side(path: Path) -> Side:
    """Of a pack each file that is read is held against its hash, or where another program tells no
    hashes the report against the verdicts; `refuse_doctored` does both, and to every file. A
    summary is held against the cases wherever there are any.

    Raises OSError, and UserError for what is none, or was changed after it was written.
    """
    if not is_folder(path):
        return _of_text(read_file(path, RESULTS_LIMIT), path)
    files = HeldFiles(path)
    of_pack = ComparedPack(str(path.resolve()), files.manifest_sha256)
    summary, report = path / "run" / "summary.json", path / "report.json"
    data = files.read("run/summary.json")
    with files.reading("report.json") as report_text:
        if data is None and report_text is not None:
            return replace(_of_text(report_text, report), pack=of_pack)
        found = None if report_text is None else _report(report_text, report)
        if found is not None and not files.recorded:
            _refuse_other_verdicts(files, found.cases)
        by_id = {} if found is None else _by_id(found.cases, path)
    if data is None:
        raise UserError(f"`{path}` holds no `run/summary.json`.", "Name an evidence pack.")
    read = _object(data, summary)
    measurements: Mapping[str, Any] = {}
    if found is not None:
        config, measurements = _config(found, report), found.measurements
    else:
        place = path / "run" / "config.json"
        config = _object(files.read("run/config.json") or b"{}", place)
        held(config, KeptConfig, str(place))
        rows = [_decoded(one, CaseRow, path / name) for name, one in _verdicts(files)]
        by_id = _by_id(rows, path)
    counted = as_counted(_named(read, summary), by_id.values(), summary)
    cases = with_asserted(files, by_id, config)
    return Side(path, counted, config, cases, measurements, of_pack)


def _verdicts(files: HeldFiles) -> Iterator[tuple[str, bytes]]:
    for path in sorted((files.pack / "cases").glob("*/verdicts.json")):
        name = path.relative_to(files.pack).as_posix()
        if (data := files.read(name)) is not None:
            yield name, data


def read_whole_side(path: Path) -> Side:
    """As `read_side`, of a pack of which more is shown or relied on: no file may be changed."""
    if is_folder(path):
        refuse_doctored(path)
    return read_side(path)


def refuse_doctored(pack: Path) -> None:
    """Raises UserError for a pack of which any file is another than was written, or whose report
    tells other verdicts than its cases; OSError and SuiteMistake too."""
    refuse_changed(pack)
    files, report = HeldFiles(pack), pack / "report.json"
    if (report_text := files.read("report.json")) is not None:
        texts = _decoded(report_text, _Texts, report).cases
        rows = _report(report_text, report).cases
        _refuse_contradictions(rows, report)
        both = zip(rows, texts, strict=True)
        _refuse_other_verdicts(files, [row for row, text in both if not _is_text(files, row, text)])


def _is_text(files: HeldFiles, row: CaseRow, text: Raw) -> bool:
    """Whether the report holds the very text of a `verdicts.json`, as ours does, four spaces
    deeper: by its hash, so that a file which was held already is not read again."""
    own = bytes(text).replace(b"\n    ", b"\n") + b"\n"
    names = (f"cases/{one(row.case_id)}/verdicts.json" for one in (str, safe_name))
    return any(files.tells(name, own) for name in names)


def _refuse_other_verdicts(files: HeldFiles, rows: Sequence[CaseRow]) -> None:
    for row in rows:
        names = (f"cases/{one}/verdicts.json" for one in (safe_name(row.case_id), row.case_id))
        inside = (one for one in names if not leads_out(files.pack / one, files.pack))
        texts = ((one, files.read(one)) for one in inside)
        name, text = next((one for one in texts if one[1] is not None), ("", None))
        if text is None or _decoded(text, CaseRow, files.pack / name) != row:
            what = f"tells something else of `{row.case_id}` than its verdicts"
            raise refusal(files.pack, "report.json", what)


def verdicts_of(data: bytes, pack: Path, case_id: str) -> CaseRow:
    """Of one case, as its file in the pack holds them. Raises UserError for those of another case,
    and for what contradicts itself."""
    place = pack / "cases" / safe_name(case_id) / "verdicts.json"
    row: CaseRow = _decoded(data, CaseRow, place)
    if row.case_id != case_id:
        raise UserError(f"`{place}` is about `{row.case_id}`, not `{case_id}`.", MAKE_ANEW)
    _refuse_contradictions((row,), place)
    return row


def _of_text(data: bytes, path: Path) -> Side:
    found = _object(data, path)
    if "summary" not in found:
        return Side(path, _named(found, path))
    report = _report(data, path)
    cases = _by_id(report.cases, path)
    return Side(
        path,
        as_counted(_named(report.summary, path, "summary"), cases.values(), path),
        _config(report, path),
        cases,
        report.measurements,
    )


def _config(report: _Report, path: Path) -> dict[str, Any]:
    return held(report.run_config, KeptConfig, str(path), "run_config")


def _named(summary: Mapping[str, Any], path: Path, below: str = "") -> dict[str, Any]:
    """With the names of today, and the rates where only numbers are told.

    Raises SuiteMistake with file and field where one is of another type.
    """
    known = dict(summary)
    for old, new in LEGACY.items():
        if old in known:
            known.setdefault(new, known[old])
    for rate, part in (("pass_rate", "passed_cases"), ("hard_fail_rate", "hard_fail_cases")):
        total, count = known.get("total_cases"), known.get(part)
        if rate not in known and type(total) is int and type(count) is int:
            known[rate] = count / total if total else 0.0
    return held(known, KeptSummary, str(path), below)


def _by_id(rows: Sequence[CaseRow], path: Path) -> dict[str, CaseRow]:
    found = {one.case_id: one for one in rows}
    if len(found) < len(rows):
        raise UserError(f"`{path}` holds two cases with the same id.", "Make the pack again.")
    _refuse_contradictions(rows, path)
    return found


def _refuse_contradictions(rows: Iterable[CaseRow], path: Path) -> None:
    for row in rows:
        if wrong := row.contradiction:
            raise UserError(f"`{path}` tells that `{row.case_id}` {wrong}.", MAKE_ANEW)


def _object(data: bytes, path: Path) -> dict[str, Any]:
    found = decode_json(data, str(path))
    if not isinstance(found, dict):
        raise UserError(f"`{path}` holds no object.", "Name a pack, a report or a summary.")
    return found


def _report(data: bytes, path: Path) -> _Report:
    report: _Report = _decoded(data, _Report, path)
    return report


def _decoded(data: bytes, type_: type[Any], path: Path) -> Any:
    try:
        return decode_exactly(type_, data)
    except msgspec.ValidationError as error:
        raise refusal_of(error, str(path)) from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        decode_json(data, str(path))
        raise


def with_asserted(
    files: HeldFiles, rows: Mapping[str, CaseRow], config: Mapping[str, Any]
) -> Mapping[str, CaseRow]:
    """The rows with what their cases hold; one whose case cannot be read stays as it is.

    Raises OSError, and UserError for a case that is not as it was written.
    """
    are_all_known = all(row.asserted is not None for row in rows.values())
    if are_all_known or config.get("execution_mode") == AGENT_RUN:
        return rows
    from evaltui.evidence.asserted import asserted_of_trace  # all judges there are

    known = dict(rows)
    for file in (files.pack / "cases").glob("*/trajectory.json"):
        if not files.recorded and leads_out(file, files.pack):
            continue
        data = files.read(file.relative_to(files.pack).as_posix())
        try:
            case = read_case("", decode_json(data or b"", str(file)), 0)
        except UserError:
            continue
        row = known.get(case.id)
        if row is not None and row.asserted is None:
            judged = ((one.judge_id, one.skipped) for one in row.judge_results)
            measured = {one.judge_id for one in row.judge_results if one.kind is Kind.METRIC}
            made = asserted_of_trace(case, judged, measured)
            found = {name: tuple(one) for name, one in made.items()}
            known[case.id] = replace(row, asserted=found)
    return known
