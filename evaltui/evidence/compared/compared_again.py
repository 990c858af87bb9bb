"""Whether a `compare` report still matches its packs; it may have been edited."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evaltui.core.errors import UserError
from evaltui.core.reported_number import NOISE
from evaltui.disk.baselines.pins import PINS
from evaltui.evidence.compared.compare_report import OF_THE_FILE, CompareReport, Metric, report_of
from evaltui.evidence.compared.comparing import compare
from evaltui.evidence.compared.side import Side, read_side
from evaltui.files import is_file
from evaltui.traces.reading import decode_file, decode_json
from evaltui.traces.wire import pretty


def differences_from_packs(
    report: CompareReport, file: Path, baseline: Path | None, candidate: Path
) -> Iterator[str]:
    """As sentences, of all that the report in `file` tells. Of one that does not note its packs, as
    those of other programs, which tell less and in an order of their own, only what a release would
    be let through by; without the `baseline` what it tells of the candidate."""
    try:
        after = read_side(candidate)
        before = after if baseline is None else _baseline(report, baseline, after)
        known = compare(before, after, reference={}, allow_incompatible=True)
        told = decode_file(file)
    except (OSError, UserError) as error:
        yield f"its packs cannot be compared again: {error}"
        return
    again = report_of(known, CompareReport)
    if baseline is None:
        found = _of_candidate(report, again, after)
    elif report.packs.baseline is None or report.packs.candidate is None:
        found = _left_out(report, again)
    else:
        found = _differing(told, decode_json(pretty(known), ""))
    for name in found:
        yield f"`{name}` differs from a comparison of its packs: `evaltui compare` compares again"


def _differing(told: Mapping[str, Any], known: Mapping[str, Any]) -> Iterator[str]:
    """Keys of either, also of what is only shown to people."""
    missing = object()
    for name in sorted({*told, *known} - OF_THE_FILE):
        if told.get(name, missing) != known.get(name, missing):
            yield name


def _baseline(report: CompareReport, place: Path, candidate: Side) -> Side:
    """Raises as `read_side`."""
    if not is_file(place / PINS):
        return read_side(place)
    from evaltui.evidence.baseline_names import side_pinned_as

    named = report.baseline_reference
    agent = str(candidate.config.get("agent_version") or "")
    return side_pinned_as(place, (named.input if named is not None else None) or "", agent)


def _of_candidate(report: CompareReport, again: CompareReport, candidate: Side) -> Iterator[str]:
    """What is told otherwise of the candidate alone."""
    for name in ("candidate_run_id", "dataset_id"):
        if getattr(report, name) not in (None, getattr(again, name)):
            yield name
    for name in ("metrics", "judge_metrics", "measurements"):
        if _differs(getattr(report, name), getattr(again, name), sides=("candidate",)):
            yield name
    total = report.overview.total_candidate_cases
    if total is not None and total != again.overview.total_candidate_cases:
        yield "overview"
    rows = candidate.cases or {}
    for one in report.case_regressions or ():
        row, reported = rows.get(one.case_id), (one.candidate_passed, one.candidate_hard_failed)
        if reported != ((None, None) if row is None else (row.passed, row.hard_failed)):
            yield "case_regressions"
            return


def _left_out(report: CompareReport, again: CompareReport) -> Iterator[str]:
    reported, compatible = report.compatibility, again.compatibility
    if (
        reported is not None
        and reported.passed
        and compatible is not None
        and not compatible.passed
    ):
        yield "compatibility"
    if report.dataset_id not in (None, again.dataset_id):
        yield "dataset_id"
    for name in ("metrics", "judge_metrics", "measurements"):
        if _differs(getattr(report, name), getattr(again, name)):
            yield name
    rows = again.case_regressions or ()
    worse = {one.case_id for one in rows if one.regressed}
    if report.case_regressions is not None and worse.difference(
        one.case_id for one in report.case_regressions if one.regressed
    ):
        yield "case_regressions"
    if {*again.lost_checks} - {*report.lost_checks}:
        yield "lost_checks"
    if {*again.unknown_checks} - {*report.unknown_checks}:
        yield "unknown_checks"
    if {*report.unreached_checks} - {*again.unreached_checks}:
        yield "unreached_checks"
    hard = report.new_hard_fail_case_ids
    if hard is not None and not {*(again.new_hard_fail_case_ids or ())} <= {*hard}:
        yield "new_hard_fail_case_ids"


def _differs(
    reported: Mapping[str, Metric],
    again: Mapping[str, Metric],
    sides: Sequence[str] = ("baseline", "candidate"),
) -> bool:
    return any(
        mine is not None and known is not None and abs(mine - known) > NOISE
        for name in reported.keys() & again.keys()
        for mine, known in (
            (getattr(reported[name], side), getattr(again[name], side)) for side in sides
        )
    )
