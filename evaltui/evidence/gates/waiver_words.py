"""Waivers of a decision in words: what they waive, and which of them waive nothing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from evaltui.evidence.compared.compare_report import CompareReport
from evaltui.evidence.gates.waived_case import case_of, named_by


def waived_in_words(refs: Sequence[Any] | None) -> list[str]:
    """A sentence for each waiver that a decision names; empty without any."""
    return [_waived(one) for one in refs or () if isinstance(one, Mapping)]


def unused_in_words(
    report: CompareReport, active: Iterable[Mapping[str, Any]], used: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    """A sentence for each waiver in force that waives nothing of the report."""
    worse = {one.case_id for one in report.case_regressions or () if one.regressed}
    worse |= {one.case_id for one in report.lost_checks} | {*report.unknown_checks}
    for waiver in active:
        if waiver in used:
            continue
        case = case_of(waiver)
        why = "nothing of this case became worse, or other judges too"
        if case not in worse:
            meant = named_by(str(case), worse)
            why = f"did you mean `{meant}`?" if meant else "no case of this id became worse"
        yield f"the waiver for {_about(waiver)} waives nothing: {why}"


def _waived(waiver: Mapping[str, Any]) -> str:
    ends = waiver.get("expires_at")
    until = f"until {ends}" if ends else "without an end"
    reason = f": {waiver['reason']}" if waiver.get("reason") else ""
    return f"waived {_about(waiver)}{reason} (by {waiver.get('approved_by')}, {until})"


def _about(waiver: Mapping[str, Any]) -> str:
    judge = waiver.get("judge_id")
    case = case_of(waiver) or waiver.get("regression_key")
    return f"`{case}`" + (f" (`{judge}`)" if judge else "")
