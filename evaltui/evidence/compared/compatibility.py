"""Whether two runs can be compared at all."""

from collections.abc import Iterator, Sequence
from typing import Any

from evaltui.core.verdict import EVALUATOR, Kind
from evaltui.evidence.compared.side import Side


def compatibility(baseline: Side, candidate: Side) -> dict[str, Any]:
    """Every check by its name; one whose facts are unknown on a side passes."""
    checks = list(_checks(baseline, candidate))
    failures = [f"{one['name']} failed" for one in checks if not one["passed"]]
    return {"passed": not failures, "checks": checks, "failures": failures}


def _checks(baseline: Side, candidate: Side) -> Iterator[dict[str, Any]]:
    yield _equal("dataset_id_match", "dataset_id", baseline.dataset_id, candidate.dataset_id)
    totals = (baseline.summary.get("total_cases"), candidate.summary.get("total_cases"))
    yield _equal("total_cases_match", "total_cases", *totals)
    before, now = baseline.cases, candidate.cases
    is_known = before is not None and now is not None
    lost = sorted((before or {}).keys() - (now or {}).keys()) if is_known else []
    new = sorted((now or {}).keys() - (before or {}).keys()) if is_known else []
    yield {
        "name": "case_id_set_match",
        "passed": not lost and not new,
        "baseline_case_count": None if before is None else len(before),
        "candidate_case_count": None if now is None else len(now),
        "missing_in_candidate": lost,
        "missing_in_baseline": new,
    }
    judged, judges = _judges(baseline, candidate)
    deciding = _without_metrics(baseline, judged or ())
    missing = [] if judges is None else [name for name in deciding if name not in judges]
    yield {
        "name": "judges_match",
        "passed": not missing,
        "baseline_judges": judged,
        "candidate_judges": judges,
        "missing_in_candidate": missing,
    }
    was, is_ = (one.config.get("judge_configs") or {} for one in (baseline, candidate))
    other = [name for name in deciding if was.get(name) != is_.get(name)]
    yield {"name": "judge_configs_match", "passed": not other, "different": other}


def _judges(baseline: Side, candidate: Side) -> tuple[Sequence[str] | None, Sequence[str] | None]:
    """Who was asked to judge, evaluators of cases too; of a side that is a summary, who did."""
    rates = [one.summary.get("judge_pass_rates") for one in (baseline, candidate)]
    names = [sorted(one) if isinstance(one, dict) else None for one in rates]
    if baseline.judges is None or candidate.judges is None:
        before, now = names
        return before, now
    judges = zip((baseline.judges, candidate.judges), names, strict=True)
    before, now = ([*named, *_evaluators(judged or ())] for named, judged in judges)
    return before, now


def _without_metrics(side: Side, judged: Sequence[str]) -> list[str]:
    """A judge that only measured decided nothing, so that nothing is lost with it."""
    kinds = {
        (row.judge_id, row.kind)
        for case in (side.cases or {}).values()
        for row in case.judge_results
    }
    measured = {name for name, kind in kinds if kind is Kind.METRIC}
    decided = {name for name, kind in kinds if kind is not Kind.METRIC}
    return [name for name in judged if name not in measured - decided]


def _evaluators(judged: Sequence[str]) -> list[str]:
    """Cases name them, and no settings of a run."""
    return [name for name in judged if name.startswith(EVALUATOR)]


def _equal(name: str, key: str, before: object, now: object) -> dict[str, Any]:
    is_equal = before is None or now is None or before == now
    facts = {f"baseline_{key}": before, f"candidate_{key}": now}
    return {"name": name, "passed": is_equal, **facts}
