"""`replay`: whether judging the same traces again gives the same evidence."""

import json
import platform
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from evaltui.core.case import Case
from evaltui.core.check import Stage
from evaltui.core.errors import UserError
from evaltui.evidence.asserted import INPUT, asserted_of_trace, judged_by, measured_by
from evaltui.evidence.compared.compare_report import report_of
from evaltui.evidence.measurements import Measurements
from evaltui.evidence.packs.pack_hashes import changed_files, recorded_hashes
from evaltui.evidence.packs.pack_shapes import (
    AGENT_RUN,
    KeptConfig,
    KeptSummary,
    KeptVerdicts,
    held,
)
from evaltui.evidence.run_config import git_commit, lock_hash
from evaltui.evidence.score_suite import UNNAMED
from evaltui.evidence.summary import SummaryCounts
from evaltui.evidence.verdicts import case_verdicts
from evaltui.files import RESULTS_LIMIT, is_file, is_folder, read_file
from evaltui.traces.judge_row import WholeRow
from evaltui.traces.judges import RULES, opened, stage_of
from evaltui.traces.reading import case_document, decode_file, decode_json, read_case, trace_body
from evaltui.traces.scoring import score
from evaltui.traces.typed_secrets import given_again

if TYPE_CHECKING:
    from evaltui.evaluators.registry import EvaluatorRegistry

PROVIDED_PINS = ("prompt_hash", "policy_hash", "container_image")
"""Pins that somebody told the run: nothing here can say what they are now."""


async def replay(
    pack: Path,
    *,
    judge_configs: Mapping[str, Any] | None = None,
    evaluators: "EvaluatorRegistry | None" = None,
) -> dict[str, Any]:
    """The report as its file holds it; `judge_configs`, where they were kept without secrets,
    `evaluators`: all that cases may name; without it those that come along.

    Raises OSError, and UserError for what is no pack.
    """
    config = read_config(pack)
    if config.get("execution_mode") == AGENT_RUN:
        what = f"`{pack}` is of eval files, which were not judged by judges of traces."
        raise UserError(what, "`evaltui run` judges them again.")
    saved = read_summary(pack)
    manifest = read_object(pack / "manifest.json") if is_file(pack / "manifest.json") else {}
    stage = kept_stage(config, judge_configs)
    is_ours = manifest.get("judging_rules") == RULES
    copies = _Copies(pack, config, saved)
    hashes = recorded_hashes(pack)
    files = [{"path": name, "problem": what} for name, what in changed_files(pack, hashes)]
    counts = SummaryCounts()
    cases: list[dict[str, Any]] = []
    verdicts: list[dict[str, Any]] = []
    async with opened(stage):
        for folder in case_folders(pack):
            raw = read_object(folder / "trajectory.json")
            case = read_case(str(config.get("dataset_id")), raw, 0, str(folder / "trajectory.json"))
            before = read_verdicts(folder)
            judged = await score(case, stage, evaluators)
            asserted = asserted_of_trace(case, judged_by(judged), measured_by(judged))
            found = _as_read(case_verdicts(case.id, judged, asserted=asserted))
            counts.add(found)
            copies.take(case, before)
            if differs := case_mismatch(case.id, before, found):
                cases.append(differs)
            if is_ours and (judges := _other_verdicts(before, found)):
                verdicts.append({"case_id": case.id, "judges": judges})
    replayed = counts.document(config.get("run_id", ""), config.get("dataset_id", ""))
    files += copies.mismatches()
    env, unverified = environment(config)
    summary_match = replayed == saved
    return {
        "run_id": config.get("run_id"),
        "dataset_id": config.get("dataset_id"),
        "replay_passed": summary_match and not (cases or verdicts or files or env),
        "summary_match": summary_match,
        "saved_summary": saved,
        "replayed_summary": replayed,
        "case_mismatches": cases,
        "verdict_mismatches": verdicts,
        "file_mismatches": files,
        "env_mismatches": env,
        "env_unverified": unverified,
    }


def read_config(pack: Path) -> dict[str, Any]:
    """What ran. Raises OSError, and UserError for what is no pack."""
    path = pack / "run" / "config.json"
    return held(read_object(path), KeptConfig, str(path))


def read_summary(pack: Path) -> dict[str, Any]:
    """What came of it. Raises as `read_config`."""
    path = pack / "run" / "summary.json"
    return held(read_object(path), KeptSummary, str(path))


def read_verdicts(folder: Path) -> dict[str, Any]:
    """Of one case. Raises as `read_config`."""
    path = folder / "verdicts.json"
    return held(read_object(path), KeptVerdicts, str(path))


def kept_stage(config: Mapping[str, Any], given: Mapping[str, Any] | None) -> Stage:
    """The judges of a run, with their settings as they are kept, or given again."""
    return stage_of(config.get("judges") or (), kept_configs(config, given))


def kept_configs(config: Mapping[str, Any], given: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Raises UserError where a secret in them is missing."""
    kept = config.get("judge_configs") or {}
    found: Mapping[str, Any] = given_again(kept, given, "The settings of judges (--judge-config)")
    return found


def case_folders(pack: Path) -> list[Path]:
    if not is_folder(pack / "cases"):
        raise UserError(f"`{pack}` holds no `cases`.", "Name an evidence pack.")
    return sorted(path for path in (pack / "cases").iterdir() if path.is_dir())


def case_mismatch(
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


def environment(config: Mapping[str, Any]) -> tuple[list[dict[str, Any]], list[str]]:
    """Pins that differ now, and those of which nothing can be said.

    Commit and locked dependencies are looked up where the run took place, if they were found there
    and not told; a commit that changed says nothing of traces that were kept.
    """
    pinned = config.get("pinned_env")
    pinned = pinned if isinstance(pinned, dict) else {}
    current = {
        "python_version": platform.python_version(),
        "platform": sys.platform,
        "machine": platform.machine(),
    }
    unverified = [name for name in PROVIDED_PINS if config.get(name)]
    folder = Path(str(pinned.get("cwd") or "."))
    for name, look in (("git_commit", git_commit), ("dependency_lock_hash", lock_hash)):
        given, found = config.get(name), pinned.get(name)
        now = look(folder) if found and is_folder(folder) else None
        if given and (given != found or now is None or (name == "git_commit" and now != given)):
            unverified.append(name)
        elif found:
            current[name] = str(now)
    mismatches = [
        {"key": name, "pinned": pinned[name], "current": now}
        for name, now in current.items()
        if pinned.get(name) and pinned[name] != now
    ]
    return mismatches, sorted(unverified)


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


def read_object(path: Path) -> dict[str, Any]:
    found = decode_file(path)
    if not isinstance(found, dict):
        raise UserError(f"`{path}` holds no object.", "Name an evidence pack.")
    return found
