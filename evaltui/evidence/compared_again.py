"""Whether a report of `compare` tells what comparing its packs tells: it may have been edited."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import structs

from evaltui.core.errors import UserError
from evaltui.evidence.compare_report import CompareReport, Metric, report_of
from evaltui.evidence.comparing import compare
from evaltui.evidence.contradictions import NOISE
from evaltui.evidence.side import read_side

_OF_THE_FILE = frozenset({"generated_at", "baseline_reference", "packs"})
"""What differs between two reports of the same packs."""


def told_otherwise(report: CompareReport, baseline: Path, candidate: Path) -> Iterator[str]:
    """As sentences. Of a report that does not note its packs, as those of other programs, which
    tell less and in an order of their own, only what a release would be let through by."""
    try:
        sides = read_side(baseline), read_side(candidate)
        known = compare(*sides, reference={}, allow_incompatible=True)
    except (OSError, UserError) as error:
        yield f"its packs cannot be compared again: {error}"
        return
    again = report_of(known, CompareReport)
    if report.packs.baseline is None or report.packs.candidate is None:
        found = _left_out(report, again)
    else:
        found = (
            one.name
            for one in structs.fields(CompareReport)
            if one.name not in _OF_THE_FILE
            and getattr(report, one.name) != getattr(again, one.name)
        )
    for name in found:
        yield f"`{name}` is not what comparing its packs tells: `evaltui compare` compares anew"


def _left_out(report: CompareReport, again: CompareReport) -> Iterator[str]:
    told, compatible = report.compatibility, again.compatibility
    if told is not None and told.passed and compatible is not None and not compatible.passed:
        yield "compatibility"
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
    hard = report.new_hard_fail_case_ids
    if hard is not None and not {*(again.new_hard_fail_case_ids or ())} <= {*hard}:
        yield "new_hard_fail_case_ids"


def _differs(told: Mapping[str, Metric], again: Mapping[str, Metric]) -> bool:
    return any(
        mine is not None and known is not None and abs(mine - known) > NOISE
        for name in told.keys() & again.keys()
        for mine, known in (
            (told[name].baseline, again[name].baseline),
            (told[name].candidate, again[name].candidate),
        )
    )
