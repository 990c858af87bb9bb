"""One side of a comparison: a pack, its report alone, or only its summary."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from evaltui.core.errors import UserError
from evaltui.disk.atomic import safe_name
from evaltui.disk.codec import decode_exactly
from evaltui.evidence.case_row import CaseRow
from evaltui.evidence.pack_hashes import MAKE_ANEW, refuse_changed
from evaltui.evidence.pack_shapes import KeptConfig, KeptSummary, held
from evaltui.evidence.untold_asserted import with_asserted
from evaltui.files import RESULTS_LIMIT, is_file, is_folder, leads_out, read_file
from evaltui.traces.mistakes import refusal_of
from evaltui.traces.reading import decode_json

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


def read_side(path: Path) -> Side:
    """Raises OSError, and UserError for what is none, or was changed after it was written."""
    if not is_folder(path):
        return _of_file(path)
    refuse_changed(path)
    summary = path / "run" / "summary.json"
    if not is_file(summary):
        if is_file(path / "report.json"):
            return _of_file(path / "report.json")
        raise UserError(f"`{path}` holds no `run/summary.json`.", "Name an evidence pack.")
    read = _object(read_file(summary, RESULTS_LIMIT), summary)
    if is_file(path / "report.json"):
        report = path / "report.json"
        found = _report(read_file(report, RESULTS_LIMIT), report)
        told = _config(found, report)
        by_id = _by_id(found.cases, report)
        _refuse_other_verdicts(path, by_id)
        cases = with_asserted(path, by_id, told)
        return Side(path, _named(read, summary), told, cases, found.measurements)
    config = path / "run" / "config.json"
    known = _object(read_file(config, RESULTS_LIMIT), config)
    files = sorted((path / "cases").glob("*/verdicts.json"))
    rows = [_decoded(read_file(one, RESULTS_LIMIT), CaseRow, one) for one in files]
    return Side(
        path,
        _named(read, summary),
        held(known, KeptConfig, str(config)),
        with_asserted(path, _by_id(rows, path / "cases"), known),
    )


def _refuse_other_verdicts(pack: Path, rows: Mapping[str, CaseRow]) -> None:
    """Raises UserError where the report of a pack tells other verdicts than its cases."""
    for id_, row in rows.items():
        names = dict.fromkeys((safe_name(id_), id_))
        files = (pack / "cases" / name / "verdicts.json" for name in names)
        file = next((one for one in files if is_file(one) and not leads_out(one, pack)), None)
        if file is None or _decoded(read_file(file, RESULTS_LIMIT), CaseRow, file) != row:
            what = f"`{pack / 'report.json'}` tells something else of `{id_}` than its verdicts."
            raise UserError(what, MAKE_ANEW)


def _of_file(path: Path) -> Side:
    data = read_file(path, RESULTS_LIMIT)
    found = _object(data, path)
    if "summary" not in found:
        return Side(path, _named(found, path))
    report = _report(data, path)
    cases = _by_id(report.cases, path)
    return Side(
        path,
        _named(report.summary, path, "summary"),
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
        raise UserError(f"`{path}` holds two cases of one id.", "Make the pack anew.")
    return found


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
    except msgspec.DecodeError:
        decode_json(data, str(path))
        raise
