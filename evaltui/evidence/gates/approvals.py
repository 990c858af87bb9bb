"""Recorded approvals: promoted baselines, and waivers for known regressions."""

import uuid
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from evaltui.core.errors import UserError
from evaltui.core.reported_number import NOISE
from evaltui.core.verdict import EVALUATOR
from evaltui.evidence.compared.compare_report import CaseChange, CompareReport
from evaltui.evidence.gates.waived_case import REGRESSED, by_whole_id, case_of
from evaltui.evidence.gates.waiver_flaws import flaw_of, is_blank, moment_of
from evaltui.evidence.packs.pack_hashes import evidence_digest
from evaltui.evidence.registry import baseline_entry, change, read_registry, with_audit
from evaltui.traces.wire import now

MOST_APPROVALS, MOST_WAIVERS = 100, 2000
"""The last of each baseline, and of all, that are kept."""


def promote(
    path: Path,
    name: str,
    run: Path,
    *,
    approved_by: str,
    rationale: str,
    dataset_id: str = "",
    notes: str = "",
) -> dict[str, Any]:
    """Give a pack a name, and note who agreed; returns baseline and approval.

    Raises UserError where the pack is none.
    """
    entry = baseline_entry(name, run, dataset_id=dataset_id, notes=notes)
    approval = {
        "approval_id": str(uuid.uuid4()),
        "name": name,
        "run_id": entry["run_id"],
        "approved_by": approved_by,
        "rationale": rationale,
        "approved_at": now(),
    }

    def changed(known: dict[str, Any]) -> None:
        known["baselines"][name] = entry
        rows = known["approvals"].setdefault(name, [])
        known["approvals"][name] = [*rows, approval][-MOST_APPROVALS:]
        logged = {"name": name, "run_id": entry["run_id"], "approved_by": approved_by}
        with_audit(known, "baseline.promote", logged)

    change(path, changed)
    return {"baseline": entry, "approval": approval}


def approvals(path: Path, name: str | None = None) -> list[dict[str, Any]]:
    known = read_registry(path)["approvals"]
    names = sorted(known) if name is None else [name]
    return [row for one in names for row in known.get(one, ())]


def new_waiver(
    baseline: str,
    *,
    approved_by: str,
    reason: str,
    case_id: str | None = None,
    judge_id: str | None = None,
    regression_key: str | None = None,
    expires_at: str | None = None,
) -> dict[str, Any]:
    """The entry that lets a case be worse than in a baseline, by all judges or by one.

    Raises UserError where it is about no case, nobody agreed, or its end is no time or over.
    """
    refuse_empty("--approved-by", approved_by)
    for flag, given in (("--case-id", case_id), ("--judge-id", judge_id)):
        if given is not None:
            refuse_empty(flag, given)
    if case_id is None and not (regression_key and REGRESSED.fullmatch(regression_key)):
        hint = "Give --case-id, or --regression-key 'case regressed: ID'."
        raise UserError("A waiver is for one case.", hint)
    if expires_at is not None and moment_of(expires_at) is None:
        raise UserError(
            f"`{expires_at}` is not a time.", "E.g. 2027-01-31 or 2027-01-31T12:00:00Z."
        )
    if _is_over({"expires_at": expires_at}):
        raise UserError(f"`{expires_at}` is in the past.", "Give a time in the future, or none.")
    return {
        "waiver_id": str(uuid.uuid4()),
        "baseline_name": baseline,
        "case_id": case_id,
        "judge_id": judge_id,
        "regression_key": regression_key,
        "reason": reason,
        "approved_by": approved_by,
        "created_at": now(),
        "expires_at": expires_at,
    }


def add_waiver(path: Path, entry: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """What was added, its case by its whole id, and what is doubtful about it, else an empty text.

    Raises UserError where there is no such baseline.
    """
    baseline = entry["baseline_name"]
    entry, doubt = by_whole_id(entry, read_registry(path)["baselines"].get(baseline))

    def changed(known: dict[str, Any]) -> None:
        if baseline not in known["baselines"]:
            raise _no_baseline(baseline)
        known["waivers"] = [*known["waivers"], entry][-MOST_WAIVERS:]
        logged = {name: entry[name] for name in ("waiver_id", "baseline_name", "case_id")}
        with_audit(known, "waiver.add", {**logged, "approved_by": entry["approved_by"]})

    change(path, changed)
    return entry, doubt


def waivers(
    path: Path, baseline: str | None = None, *, active_only: bool = False
) -> list[dict[str, Any]]:
    rows = [one for one in read_registry(path)["waivers"] if isinstance(one, dict)]
    wanted = (one for one in rows if baseline in (None, one.get("baseline_name")))
    return [one for one in wanted if not active_only or is_active(one)]


def waivers_of(path: Path, baseline: str, report: CompareReport) -> list[dict[str, Any]]:
    """Those in force for the baseline that a report is about, whether they waive something or not.

    Raises UserError where there is no such name, and where there are some and it is that of another
    run.
    """
    active = waivers(path, baseline, active_only=True)
    entry = read_registry(path)["baselines"].get(baseline)
    if entry is None and not active:
        raise _no_baseline(baseline)
    if active and not (isinstance(entry, Mapping) and _is_compared(entry, report)):
        what = f"`{baseline}` is not the baseline that was compared: its waivers do not hold here."
        hint = "Name the one that was, or compare with this one: `evaltui compare --baseline NAME`."
        raise UserError(what, hint)
    return active


def _is_compared(entry: Mapping[str, Any], report: CompareReport) -> bool:
    """By its evidence where that is known, else by where it lies: ids of runs are soon the same."""
    run, pack = report.baseline_run_id, report.packs.baseline
    if run is None or entry.get("run_id") != run:
        return False
    if pack is None:
        return True
    registered, found = entry.get("evidence_sha256"), evidence_digest(Path(pack.path))
    if registered is not None and found is not None:
        return bool(registered == found)
    return bool(entry.get("run_path") == pack.path)


def is_active(waiver: Mapping[str, Any]) -> bool:
    """Whether it is one that somebody agreed to, and has not ended."""
    return not flaw_of(waiver) and not _is_over(waiver)


def _is_over(waiver: Mapping[str, Any]) -> bool:
    ends = waiver.get("expires_at")
    if ends is None:
        return False
    moment = moment_of(ends)
    return moment is None or moment <= datetime.now(UTC)


def waived_cases(report: CompareReport, active: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Cases of a comparison that may be worse, or assert less: by a waiver for all judges, or one
    for each judge whose score fell or that demands less."""
    known = [*active]
    rows = _rows(report)
    lost = {one.case_id: one.judges for one in report.lost_checks}
    return frozenset(
        id_
        for id_ in {*rows, *lost, *report.unknown_checks}
        if id_ and _is_waived(id_, rows.get(id_), lost, known)
    )


def waiving(report: CompareReport, active: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Those without which something in the comparison would count that does not count with them."""
    known = [*active]
    waived = waived_cases(report, known)
    rows = _rows(report)
    lost = {one.case_id: one.judges for one in report.lost_checks}
    worse = {id_ for id_, one in rows.items() if one.regressed}
    worse |= {*lost, *report.unknown_checks, *(report.new_hard_fail_case_ids or ())}

    def waives(waiver: Mapping[str, Any]) -> bool:
        case = case_of(waiver)
        if not isinstance(case, str) or case not in waived & worse:
            return False
        own = _at_issue(case, rows.get(case), lost)
        judge = _judge_of(waiver, rows.get(case), own)
        return judge is None or (isinstance(judge, str) and judge in own)

    return [one for one in known if waives(one)]


def _rows(report: CompareReport) -> dict[str, CaseChange]:
    """The cases that changed, without the scores of judges that they did not come to: of these none
    has fallen."""
    unreached = {one.case_id: {*one.judges} for one in report.unreached_checks}
    rows = {one.case_id: one for one in report.case_regressions or ()}
    for id_ in unreached.keys() & rows.keys():
        deltas = rows[id_].judge_score_deltas.items()
        reached = {name: one for name, one in deltas if name not in unreached[id_]}
        rows[id_] = replace(rows[id_], judge_score_deltas=reached)
    return rows


def _is_waived(
    case_id: str,
    row: CaseChange | None,
    lost: Mapping[str, tuple[str, ...]],
    active: list[Mapping[str, Any]],
) -> bool:
    own = [one for one in active if case_of(one) == case_id]
    if any(one.get("judge_id") is None for one in own):
        return True
    if row is not None and row.regressed and not any(_fallen(row)):
        return False
    at_issue = _at_issue(case_id, row, lost)
    judges = [_judge_of(one, row, at_issue) for one in own]
    return bool(at_issue) and all(name in judges for name in at_issue)


def _at_issue(
    case_id: str, row: CaseChange | None, lost: Mapping[str, tuple[str, ...]]
) -> set[str]:
    """Judges whose score fell where the case became worse, and those that demand less of it."""
    fallen = {*_fallen(row)} if row is not None and row.regressed else set()
    return fallen | {*lost.get(case_id, ())}


def _judge_of(waiver: Mapping[str, Any], row: CaseChange | None, at_issue: set[str]) -> Any:
    """`None`: all of them. The type of an evaluator, as packs of earlier versions called it, means
    that evaluator, unless a judge of the case is called so."""
    judge = waiver.get("judge_id")
    known = at_issue | {*(row.judge_score_deltas if row is not None else ())}
    is_type = isinstance(judge, str) and judge not in known
    return named if is_type and (named := f"{EVALUATOR}{judge}") in known else judge


def _no_baseline(name: str) -> UserError:
    hint = "`evaltui registry baseline-list` lists the names."
    return UserError(f"There is no baseline `{name}`.", hint)


def refuse_empty(flag: str, text: str) -> None:
    if is_blank(text):
        raise UserError(f"{flag} is empty.", "Say whom or what is meant.")


def _fallen(row: CaseChange) -> Iterator[str]:
    """Judges whose score is less, or not known on both sides."""
    for name, one in row.judge_score_deltas.items():
        if one.delta is None or one.delta < -NOISE:
            yield name
