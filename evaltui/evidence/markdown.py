"""`report markdown`: comparison, gate and replay as a page for people."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from evaltui.core.inert_text import inert
from evaltui.evidence.compared.measured_words import measured_rows
from evaltui.evidence.compared.shown_reports import (
    Cluster,
    Impact,
    JudgeDelta,
    ReplayReport,
    ShownDecision,
    WholeReport,
    known_fields,
)
from evaltui.evidence.gates.decision_reading import not_so_decided
from evaltui.evidence.gates.gate_decision import about_another
from evaltui.evidence.gates.waiver_words import waived_in_words
from evaltui.evidence.judge_code import code_warnings
from evaltui.traces.wire import now

MOST_JUDGES, MOST_CLUSTERS, MOST_FIXES, MOST_PINS = 10, 15, 10, 10
NOT_PROVIDED = "_Not provided._"


def markdown(
    comparison: WholeReport,
    *,
    gate: ShownDecision | None = None,
    replay: ReplayReport | None = None,
    title: str,
) -> str:
    """The whole page; what a report does not tell is said to be missing, and what was decided comes
    first."""
    decision = ("Gate Decision", _gate(gate, comparison))
    parts = (
        *([decision] if gate is not None else []),
        ("Overview", _overview(comparison)),
        ("Top Regressed Judges", _judges(comparison.top_regressed_judges)),
        ("Failure Clusters", _clusters(comparison.failure_clusters.delta_ranked)),
        ("Hard-Fail Case Changes", _hard_fails(comparison)),
        ("Release Impact", _impact(comparison.release_impact)),
        ("Triage Fix Hints", _fixes(comparison.triage.top_clusters)),
        *([decision] if gate is None else []),
        ("Replay & Environment", _replay(replay)),
    )
    lines = [f"# {_inline(title)}", "", f"_Generated: {now()}_"]
    for name, part in parts:
        lines += ["", f"## {name}", "", *(list(part) or [NOT_PROVIDED])]
    return "\n".join(lines) + "\n"


def _overview(report: WholeReport) -> Iterator[str]:
    for id_, name in (
        (report.baseline_run_id, "Baseline"),
        (report.candidate_run_id, "Candidate"),
        (report.dataset_id, "Dataset"),
    ):
        if id_ is not None:
            yield f"- {name}: `{_inline(id_)}`"
    whole = report.overview
    if whole.risk_level:
        yield f"- Risk: **{_inline(whole.risk_level)}**"
    for name, metric in report.metrics.items():
        sides = f"{_percent(metric.baseline)} → {_percent(metric.candidate)}"
        yield f"- {_inline(name)}: {sides} ({_percent(metric.delta, sign='+')})"
    for row in measured_rows(msgspec.to_builtins(report)):
        yield f"- {_inline(row.text())}"
    for warning in code_warnings(report.changed_code):
        yield f"- **Warning**: {_inline(warning)}"
    for said in report.paired.text if report.paired is not None else ():
        yield f"- {_inline(said)}"
    for count, name in (
        (whole.regressed_cases, "Regressed"),
        (whole.improved_cases, "Improved"),
        (whole.new_hard_fail_cases, "New hard fail"),
        (whole.resolved_hard_fail_cases, "Resolved hard fail"),
    ):
        if count is not None:
            yield f"- {name} cases: {count}"


def _judges(rows: Sequence[JudgeDelta]) -> Iterator[str]:
    if rows:
        yield "| judge | baseline | candidate | delta |"
        yield "|---|---:|---:|---:|"
    for row in rows[:MOST_JUDGES]:
        sides = f"{_percent(row.baseline)} | {_percent(row.candidate)}"
        yield f"| {_cell(row.judge_id)} | {sides} | {_percent(row.delta, sign='+')} |"


def _clusters(rows: Sequence[Cluster]) -> Iterator[str]:
    if rows:
        yield "| cluster | baseline | candidate | delta |"
        yield "|---|---:|---:|---:|"
    for row in rows[:MOST_CLUSTERS]:
        counts = f"{row.baseline_count} | {row.candidate_count} | {row.delta}"
        yield f"| {_cell(row.cluster)} | {counts} |"


def _hard_fails(report: WholeReport) -> Iterator[str]:
    for ids, name in (
        (report.new_hard_fail_case_ids, "New"),
        (report.resolved_hard_fail_case_ids, "Resolved"),
    ):
        if ids is not None:
            yield f"- {name}: {', '.join(f'`{_inline(one)}`' for one in ids) or 'none'}"


def _impact(impact: Impact | None) -> Iterator[str]:
    if impact is not None:
        yield f"- Impact: **{_inline(impact.impact_level)}** ({impact.impact_score} of 100)"
        by = "by the rates and the cases that became worse, whatever the thresholds of a gate"
        yield f"- Recommendation: `{_inline(impact.recommendation)}` ({by})"


def _fixes(rows: Sequence[Cluster]) -> Iterator[str]:
    for row in rows[:MOST_FIXES]:
        yield f"- `{_inline(row.cluster)}`: {_inline(row.suggested_fix)}"


def _gate(gate: ShownDecision | None, comparison: WholeReport) -> Iterator[str]:
    """One about another comparison says nothing about this one."""
    if gate is None:
        return
    other = about_another(known_fields(gate), comparison)
    if gate.passed and not other:
        other = not_so_decided(known_fields(gate), comparison)
    if other:
        yield f"- Passed: **not decided**: {_inline(other)}"
    else:
        yield f"- Passed: **{_yes(gate.passed)}**"
        for failure in gate.failures:
            yield f"- {_inline(failure)}"
        yield from _waived(gate, comparison)
        for warning in gate.warnings:
            if warning not in code_warnings(comparison.changed_code):
                yield f"- **Warning**: {_inline(warning)}"


def _waived(gate: ShownDecision, comparison: WholeReport) -> Iterator[str]:
    """What does not count, by whom and until when."""
    waived = waived_in_words(gate.waiver_refs)
    whole = comparison.overview
    for counted, count, name in (
        (gate.regressed_cases_considered, whole.regressed_cases, "Regressed"),
        (gate.new_hard_fail_cases_considered, whole.new_hard_fail_cases, "New hard fail"),
    ):
        if waived and None not in (counted, count) and counted != count:
            yield f"- {name} cases that count: {counted} of {count}"
    for one in waived:
        yield f"- {_inline(one)}"


def _replay(replay: ReplayReport | None) -> Iterator[str]:
    if replay is None:
        return
    yield f"- Passed: **{_yes(replay.has_passed)}**"
    yield f"- Summary matches: {_yes(replay.summary_match)}"
    yield f"- Cases that differ: {len(replay.case_mismatches)}"
    yield f"- Differences of the environment: {len(replay.env_mismatches)}"
    for row in replay.env_mismatches[:MOST_PINS]:
        sides = f"`{_inline(row.pinned)}` → `{_inline(row.current)}`"
        yield f"  - `{_inline(row.key)}`: {sides}"


def _percent(value: float | None, *, sign: str = "") -> str:
    return "unknown" if value is None else f"{value:{sign}.2%}"


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _inline(value: Any) -> str:
    """On one line, and without marks that would end what it stands in."""
    return inert(" ".join(str(value).split())).replace("`", "'").replace("<", "&lt;")


def _cell(value: Any) -> str:
    return _inline(value).replace("|", "\\|")
