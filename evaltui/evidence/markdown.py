"""`report markdown`: comparison, gate and replay as a page for people."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evaltui.core.inert_text import inert
from evaltui.evidence.gate_decision import about_another
from evaltui.evidence.run_config import now

MOST_JUDGES, MOST_CLUSTERS, MOST_FIXES, MOST_PINS = 10, 15, 10, 10
NOT_PROVIDED = "_Not provided._"


def markdown(
    comparison: Mapping[str, Any],
    *,
    gate: Mapping[str, Any] | None = None,
    replay: Mapping[str, Any] | None = None,
    title: str,
) -> str:
    """The whole page; what a report does not tell is said to be missing."""
    parts = (
        ("Overview", _overview(comparison)),
        ("Top Regressed Judges", _judges(_rows(comparison, "top_regressed_judges"))),
        ("Failure Clusters", _clusters(comparison)),
        ("Hard-Fail Case Changes", _hard_fails(comparison)),
        ("Release Impact", _impact(_table(comparison, "release_impact"))),
        ("Triage Fix Hints", _fixes(_table(comparison, "triage"))),
        ("Gate Decision", _gate(gate, comparison)),
        ("Replay & Environment", _replay(replay)),
    )
    lines = [f"# {_inline(title)}", "", f"_Generated: {now()}_"]
    for name, part in parts:
        lines += ["", f"## {name}", "", *(list(part) or [NOT_PROVIDED])]
    return "\n".join(lines) + "\n"


def _overview(report: Mapping[str, Any]) -> Iterator[str]:
    for key, name in (
        ("baseline_run_id", "Baseline"),
        ("candidate_run_id", "Candidate"),
        ("dataset_id", "Dataset"),
    ):
        if report.get(key) is not None:
            yield f"- {name}: `{_inline(report[key])}`"
    overview = _table(report, "overview")
    if overview.get("risk_level"):
        yield f"- Risk: **{_inline(overview['risk_level'])}**"
    for name, metric in _table(report, "metrics").items():
        if isinstance(metric, Mapping):
            sides = f"{_percent(metric.get('baseline'))} → {_percent(metric.get('candidate'))}"
            yield f"- {_inline(name)}: {sides} ({_percent(metric.get('delta'), sign='+')})"
    for said in _table(report, "paired").get("text") or ():
        yield f"- {_inline(said)}"
    for key in ("regressed", "improved", "new_hard_fail", "resolved_hard_fail"):
        if (count := overview.get(f"{key}_cases")) is not None:
            yield f"- {key.replace('_', ' ').capitalize()} cases: {count}"


def _judges(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if rows:
        yield "| judge | baseline | candidate | delta |"
        yield "|---|---:|---:|---:|"
    for row in rows[:MOST_JUDGES]:
        sides = f"{_percent(row.get('baseline'))} | {_percent(row.get('candidate'))}"
        yield f"| {_cell(row.get('judge_id'))} | {sides} | {_percent(row.get('delta'), sign='+')} |"


def _clusters(report: Mapping[str, Any]) -> Iterator[str]:
    rows = _rows(_table(report, "failure_clusters"), "delta_ranked")
    if rows:
        yield "| cluster | baseline | candidate | delta |"
        yield "|---|---:|---:|---:|"
    for row in rows[:MOST_CLUSTERS]:
        counts = f"{row.get('baseline_count')} | {row.get('candidate_count')} | {row.get('delta')}"
        yield f"| {_cell(row.get('cluster'))} | {counts} |"


def _hard_fails(report: Mapping[str, Any]) -> Iterator[str]:
    for key, name in (("new", "New"), ("resolved", "Resolved")):
        ids = report.get(f"{key}_hard_fail_case_ids")
        if isinstance(ids, list):
            yield f"- {name}: {', '.join(f'`{_inline(one)}`' for one in ids) or 'none'}"


def _impact(impact: Mapping[str, Any]) -> Iterator[str]:
    if impact:
        level = _inline(impact.get("impact_level"))
        yield f"- Impact: **{level}** ({impact.get('impact_score')} of 100)"
        yield f"- Recommendation: `{_inline(impact.get('recommendation'))}`"


def _fixes(triage: Mapping[str, Any]) -> Iterator[str]:
    for row in _rows(triage, "top_clusters")[:MOST_FIXES]:
        yield f"- `{_inline(row.get('cluster'))}`: {_inline(row.get('suggested_fix'))}"


def _gate(gate: Mapping[str, Any] | None, comparison: Mapping[str, Any]) -> Iterator[str]:
    """One about another comparison says nothing about this one."""
    if gate is None:
        return
    if other := about_another(gate, comparison):
        yield f"- Passed: **not decided**: {_inline(other)}"
    else:
        yield f"- Passed: **{_yes(gate.get('passed'))}**"
        for failure in gate.get("failures") or ():
            yield f"- {_inline(failure)}"


def _replay(replay: Mapping[str, Any] | None) -> Iterator[str]:
    if replay is None:
        return
    passed = replay.get("replay_passed", replay.get("execution_replay_passed"))
    yield f"- Passed: **{_yes(passed)}**"
    yield f"- Summary matches: {_yes(replay.get('summary_match'))}"
    yield f"- Cases that differ: {len(_rows(replay, 'case_mismatches'))}"
    pins = _rows(replay, "env_mismatches")
    yield f"- Differences of the environment: {len(pins)}"
    for row in pins[:MOST_PINS]:
        sides = f"`{_inline(row.get('pinned'))}` → `{_inline(row.get('current'))}`"
        yield f"  - `{_inline(row.get('key'))}`: {sides}"


def _table(report: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = report.get(key)
    return found if isinstance(found, Mapping) else {}


def _rows(report: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    found = report.get(key)
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


def _percent(value: Any, *, sign: str = "") -> str:
    return f"{value:{sign}.2%}" if isinstance(value, int | float) else "unknown"


def _yes(value: Any) -> str:
    return "yes" if value is True else "no"


def _inline(value: Any) -> str:
    """On one line, and without marks that would end what it stands in."""
    return inert(" ".join(str(value).split())).replace("`", "'").replace("<", "&lt;")


def _cell(value: Any) -> str:
    return _inline(value).replace("|", "\\|")
