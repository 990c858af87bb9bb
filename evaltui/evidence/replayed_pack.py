"""A pack held against what judging it again comes to: files, copies, cases, verdicts."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from evaltui.core.case import Case
from evaltui.core.verdict import Verdict
from evaltui.evidence.asserted import INPUT, asserted_of_trace, judged_by, measured_by
from evaltui.evidence.compared.compare_report import report_of
from evaltui.evidence.measurements import Measurements
from evaltui.evidence.packs.pack_documents import read_object, read_verdicts
from evaltui.evidence.packs.pack_hashes import changed_files, recorded_hashes
from evaltui.evidence.score_suite import UNNAMED
from evaltui.evidence.summary import SummaryCounts
from evaltui.evidence.verdicts import case_verdicts
from evaltui.files import RESULTS_LIMIT, is_file, read_file
from evaltui.traces.judge_row import WholeRow
from evaltui.traces.judges import RULES
from evaltui.traces.reading import case_document, decode_file, decode_json, trace_body


class ReplayedPack:
    """Takes one case after the other. Raises as `read_object` where the pack is none."""

    def __init__(self, pack: Path, config: Mapping[str, Any], saved: Mapping[str, Any]) -> None:
        manifest = read_object(pack / "manifest.json") if is_file(pack / "manifest.json") else {}
        self._is_ours = manifest.get("judging_rules") == RULES
        self._config, self._saved = config, saved
        self._copies = _Copies(pack, config, saved)
        hashes = recorded_hashes(pack)
        self._files = [
            {"path": name, "problem": what} for name, what in changed_files(pack, hashes)
        ]
        self._counts = SummaryCounts()
        self._cases: list[dict[str, Any]] = []
        self._verdicts: list[dict[str, Any]] = []

    def take(self, folder: Path, kept: Case, now: Case, verdicts: Sequence[Verdict]) -> None:
        """The case as the pack has it in `folder`, and as it is now, with what is said of it."""
        before = read_verdicts(folder)
        asserted = asserted_of_trace(now, judged_by(verdicts), measured_by(verdicts))
        found = _as_read(case_verdicts(now.id, verdicts, asserted=asserted))
        self._counts.add(found)
        self._copies.take(kept, before)
        if differs := _case_mismatch(now.id, before, found):
            self._cases.append(differs)
        if self._is_ours and (judges := _other_verdicts(before, found)):
            self._verdicts.append({"case_id": now.id, "judges": judges})

    def report(self) -> dict[str, Any]:
        """What both replays tell, after all cases."""
        names = "run_id", "dataset_id"
        replayed = self._counts.document(*(self._config.get(name, "") for name in names))
        return {
            **{name: self._config.get(name) for name in names},
            "summary_match": replayed == self._saved,
            "saved_summary": self._saved,
            "replayed_summary": replayed,
            "case_mismatches": self._cases,
            "verdict_mismatches": self._verdicts,
            "file_mismatches": [*self._files, *self._copies.mismatches()],
        }


def is_same(report: Mapping[str, Any]) -> bool:
    """Whether a report of a replay tells no difference at all."""
    others = (found for name, found in report.items() if name.endswith("_mismatches"))
    return report["summary_match"] and not any(others)


def _case_mismatch(
    id_: str, before: Mapping[str, Any], now: Mapping[str, Any]
) -> dict[str, Any] | None:
    keys = ("passed", "hard_failed")
    if all(before.get(key) == now[key] for key in keys):
        return None
    sides = ("saved", before), ("replayed", now)
    outcomes = {f"{name}_{key}": side.get(key) for key in keys for name, side in sides}
    return {"case_id": id_, **outcomes}


def _other_verdicts(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Judges of which anything is told otherwise: score, reason, evidence, category, and what was
    asserted, where the pack tells it."""
    was, is_ = _by_judge(before), _by_judge(now)
    found = {name for name in {*was, *is_} if was.get(name) != is_.get(name)}
    if isinstance(recorded := before.get("asserted"), dict):
        asserted = now["asserted"]
        named = {*recorded, *asserted} - ({INPUT} - {*recorded})  # which older packs do not tell
        found |= {name for name in named if recorded.get(name) != asserted.get(name)}
    return sorted(found)


def _by_judge(verdicts: Mapping[str, Any]) -> dict[str, Any]:
    """One that nobody named is told of only where it judged something."""
    rows = verdicts.get("judge_results")
    return {
        str(row.get("judge_id")): row
        for row in (rows if isinstance(rows, list) else ())
        if isinstance(row, dict) and not (row.get("judge_id") == UNNAMED and row.get("skipped"))
    }


class _Copies:
    """What a pack tells twice: the report, the lists of the judges, the events of all cases."""

    def __init__(self, pack: Path, config: Mapping[str, Any], saved: Mapping[str, Any]) -> None:
        report = read_object(pack / "report.json") if is_file(pack / "report.json") else None
        self._found: set[str] = set()
        self._measured = Measurements()
        self._reported_measurements = report.get("measurements") if report is not None else None
        self._report: dict[str, Any] | None = None
        if report is not None:
            rows = report.get("cases")
            self._report = {one["case_id"]: one for one in _rows(rows)}
            if report.get("run_config") != config or report.get("summary") != saved:
                self._found.add("report.json")
        self._judges = {
            path.name: {one["case_id"]: one for one in _rows(_judged(path))}
            for path in sorted((pack / "judges").glob("*.json"))
        }
        self._events: dict[str, list[Any]] = {}
        events = pack / "run" / "events.jsonl"
        for text in read_file(events, RESULTS_LIMIT).splitlines() if is_file(events) else ():
            event = decode_json(text, str(events))
            if isinstance(event, dict):
                id_ = event.pop("case_id", None)
                event = {k: v for k, v in event.items() if k not in ("run_id", "dataset_id")}
                self._events.setdefault(str(id_), []).append(event)

    def take(self, case: Case, verdicts: Mapping[str, Any]) -> None:
        """Hold a case against what is told of it elsewhere."""
        self._measured.add(case)
        if self._report is not None and self._report.pop(case.id, None) != verdicts:
            self._found.add("report.json")
        by_judge = {row["judge_id"]: row for row in _rows(verdicts.get("judge_results"))}
        for name, rows in self._judges.items():
            row = rows.pop(case.id, None)
            if row is not None and by_judge.get(row.get("judge_id")) != row:
                self._found.add(f"judges/{name}")
        trace = _as_read(case_document(case))["trace"]
        if self._events.pop(case.id, []) != trace or len(trace) != len(trace_body(case).trace):
            self._found.add("run/events.jsonl")

    def mismatches(self) -> list[dict[str, str]]:
        """After all cases: what differs, and what tells of cases that are not there."""
        if self._report or self._reported_measurements not in (None, self._measured.document()):
            self._found.add("report.json")
        self._found |= {f"judges/{name}" for name, rows in self._judges.items() if rows}
        if self._events:
            self._found.add("run/events.jsonl")
        what = "tells something else than the cases"
        return [{"path": name, "problem": what} for name in sorted(self._found)]


def _judged(path: Path) -> Any:
    """The list of a judge. Raises SuiteMistake where it is none."""
    found = decode_file(path)
    report_of(found, tuple[WholeRow, ...], str(path))
    return found


def _rows(found: object) -> list[dict[str, Any]]:
    rows = found if isinstance(found, list) else []
    return [one for one in rows if isinstance(one, dict) and isinstance(one.get("case_id"), str)]


def _as_read(value: Any) -> Any:
    """As it is when it was written and read again."""
    return json.loads(msgspec.json.encode(value))
