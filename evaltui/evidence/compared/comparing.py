"""`compare`: what became better and worse between two runs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from evaltui.core.errors import UserError
from evaltui.core.paired_runs import PairedCase, PairedRuns
from evaltui.core.reported_number import NOISE
from evaltui.core.verdict import Kind
from evaltui.evidence.case_row import CaseRow
from evaltui.evidence.compared.compatibility import compatibility
from evaltui.evidence.compared.impact import release_impact, risk_level, triage
from evaltui.evidence.compared.lost_checks import cases_unknown, cases_unreached, cases_with_less
from evaltui.evidence.compared.older_names import by_names_of_now
from evaltui.evidence.compared.side import Side
from evaltui.evidence.judge_code import changed_code
from evaltui.evidence.measurements import held_together
from evaltui.traces.wire import now

RATES = ("pass_rate", "hard_fail_rate")
MOST_JUDGES, MOST_CLUSTERS = 10, 25
_NO_CASE: Mapping[str, CaseRow] = {}


def compare(
    baseline: Side,
    candidate: Side,
    *,
    reference: Mapping[str, Any],
    allow_incompatible: bool = False,
) -> dict[str, Any]:
    """The report as its file holds it; `reference` says how the baseline was named.

    Raises UserError with the first check that fails, unless that is allowed.
    """
    baseline, candidate = by_names_of_now(baseline), by_names_of_now(candidate)
    checked = compatibility(baseline, candidate)
    if checked["failures"] and not allow_incompatible:
        failed = next(one for one in checked["checks"] if not one["passed"])
        facts = ", ".join(f"{key}: {value}" for key, value in failed.items() if key not in _SHOWN)
        what = f"The runs cannot be compared: {failed['name']} failed ({facts})."
        raise UserError(what, "Run both alike, or give --allow-incompatible.")
    before, after = baseline.cases or _NO_CASE, candidate.cases or _NO_CASE
    metrics = {name: _metric(name, baseline.summary, candidate.summary) for name in RATES}
    judges = _judges(baseline.summary, candidate.summary)
    others = _differing(before, after)
    changed = list(_changed(*others))
    drops = list(_score_drops(*others))
    worse = [one["case_id"] for one in changed if one["regressed"]]
    hard = [one["case_id"] for one in changed if _is_new_hard(one)]
    resolved = [
        one["case_id"]
        for one in changed
        if one["baseline_hard_failed"] and one["candidate_hard_failed"] is False
    ]
    are_judges_reported = _tells_judges(before) and _tells_judges(after)
    clusters = _clusters(before), _clusters(after)
    ranked = _ranked(*clusters) if are_judges_reported else []
    deltas = {name: metric["delta"] or 0.0 for name, metric in metrics.items()}
    return {
        "generated_at": now(),
        "baseline_run_id": baseline.run_id,
        "candidate_run_id": candidate.run_id,
        "dataset_id": candidate.dataset_id or baseline.dataset_id,
        "baseline_reference": reference,
        "packs": {"baseline": baseline.pack, "candidate": candidate.pack},
        "compatibility": checked,
        "metrics": metrics,
        "judge_metrics": judges,
        "measurements": held_together(baseline.measurements, candidate.measurements),
        "case_regressions": changed,
        "cases_compared": baseline.cases is not None and candidate.cases is not None,
        "judges_compared": are_judges_reported,
        "score_regressions": drops,
        "lost_checks": list(cases_with_less(*others)),
        "unknown_checks": cases_unknown(before, after),
        "unreached_checks": list(cases_unreached(*others)),
        "changed_code": list(changed_code(baseline.config, candidate.config)),
        "paired": _paired(before, after),
        "regressions": list(regressions_of(metrics, judges, worse, drops)),
        "overview": {
            "total_baseline_cases": baseline.summary.get("total_cases"),
            "total_candidate_cases": candidate.summary.get("total_cases"),
            "regressed_cases": len(worse),
            "improved_cases": sum(one["improved"] for one in changed),
            "new_hard_fail_cases": len(hard),
            "resolved_hard_fail_cases": len(resolved),
            "risk_level": risk_level(deltas, len(worse)),
        },
        "top_regressed_judges": _top_judges(judges),
        "new_hard_fail_case_ids": hard,
        "resolved_hard_fail_case_ids": resolved,
        "failure_clusters": {
            "baseline": dict(clusters[0]),
            "candidate": dict(clusters[1]),
            "delta_ranked": ranked[:MOST_CLUSTERS],
        },
        "triage": triage(ranked),
        "release_impact": release_impact(deltas, len(worse), len(hard)),
        "aggregate_result": {
            **{name: metrics[name]["candidate"] for name in RATES},
            "regression_delta": metrics["pass_rate"]["delta"],
            "gate_status": None,
        },
    }


_SHOWN = ("name", "passed")


def _metric(name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """`delta` is `None` where a side does not tell: that is no 0."""
    was, is_ = before.get(name), after.get(name)
    delta = None
    if isinstance(was, int | float) and isinstance(is_, int | float):
        delta = is_ - was
    return {"name": name, "baseline": was, "candidate": is_, "delta": delta}


def _paired(
    before: Mapping[str, CaseRow], after: Mapping[str, CaseRow]
) -> Mapping[str, Any] | None:
    """The cases that were judged on both sides as a whole; `None` where there are too few."""
    both = ((id_, before[id_], after[id_]) for id_ in before if id_ in after)
    whole = PairedRuns.of(
        PairedCase.of(was.as_planned, is_.as_planned, is_.group or was.group or (id_,))
        for id_, was, is_ in both
    )
    return None if whole is None else {**whole.document(), "text": [*whole.lines()]}


def _judges(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """A judge that judged nothing on one side, since nothing there is for it, is no worse."""
    was, is_ = (one.get("judge_pass_rates") or {} for one in (before, after))
    return {name: _metric(name, was, is_) for name in sorted({*was, *is_})}


def _top_judges(judges: Mapping[str, Any]) -> list[dict[str, Any]]:
    worse = [one for one in judges.values() if one["delta"] is not None and one["delta"] < 0]
    worse.sort(key=lambda one: (one["delta"], one["name"]))
    return [
        {"judge_id": one["name"], **{key: one[key] for key in ("delta", "baseline", "candidate")}}
        for one in worse[:MOST_JUDGES]
    ]


def _differing(
    before: Mapping[str, CaseRow], after: Mapping[str, CaseRow]
) -> tuple[Mapping[str, CaseRow], Mapping[str, CaseRow]]:
    """Both sides without the cases that are the same on both: most are."""
    same = {id_ for id_, row in before.items() if after.get(id_) == row}
    was, is_ = (
        {id_: row for id_, row in side.items() if id_ not in same} for side in (before, after)
    )
    return was, is_


def _changed(
    before: Mapping[str, CaseRow], after: Mapping[str, CaseRow]
) -> Iterator[dict[str, Any]]:
    """Cases whose verdict changed; one that passed and is gone counts as regressed."""
    for id_ in sorted({*before, *after}):
        was, is_ = before.get(id_), after.get(id_)
        passed = (was and was.passed, is_ and is_.passed)
        hard = (was and was.hard_failed, is_ and is_.hard_failed)
        if passed[0] == passed[1] and hard[0] == hard[1]:
            continue
        is_gone = is_ is None and was is not None and was.passed
        worse, better = moved(passed, hard) if was is not None and is_ is not None else (False,) * 2
        yield {
            "case_id": id_,
            "baseline_passed": passed[0],
            "candidate_passed": passed[1],
            "baseline_hard_failed": hard[0],
            "candidate_hard_failed": hard[1],
            "regressed": is_gone or worse,
            "improved": better,
            "judge_score_deltas": _score_deltas(was, is_),
        }


def moved(passed: tuple[Any, Any], hard: tuple[Any, Any]) -> tuple[bool, bool]:
    """Whether a case that was judged before and now became worse, and better: it may be both."""
    worse = passed == (True, False) or hard == (False, True)
    return worse, passed == (False, True) or hard == (True, False)


def _is_new_hard(change: Mapping[str, Any]) -> bool:
    return bool(change["candidate_hard_failed"]) and not change["baseline_hard_failed"]


def _score_deltas(was: CaseRow | None, is_: CaseRow | None) -> dict[str, Any]:
    """By judge; one that skipped the case on one side alone has no score there."""
    before, after = _scores(was), _scores(is_)
    idle = _scores(was, skipped=True)
    if idle:
        both = dict(idle.items() & _scores(is_, skipped=True).items())
        before |= both
        after |= both
    return {name: _metric(name, before, after) for name in sorted({*before, *after})}


def _scores(row: CaseRow | None, *, skipped: bool = False) -> dict[str, float]:
    results = row.judge_results if row is not None else ()
    return {
        one.judge_id: one.score
        for one in results
        if one.skipped is skipped and one.kind is Kind.ASSERTION
    }


def _score_drops(
    before: Mapping[str, CaseRow], after: Mapping[str, CaseRow]
) -> Iterator[dict[str, Any]]:
    """Scores that fell in cases that failed before and now; other programs round otherwise."""
    for id_, was in before.items():
        is_ = after.get(id_)
        if is_ is None or was.passed or is_.passed:
            continue
        for delta in _score_deltas(was, is_).values():
            if delta["delta"] is not None and delta["delta"] < -NOISE:
                yield {"case_id": id_, "judge_id": delta.pop("name"), **delta}


def regressions_of(
    metrics: Mapping[str, Any],
    judges: Mapping[str, Any],
    worse: Iterable[str],
    drops: Iterable[Mapping[str, Any]],
) -> Iterator[str]:
    """What became worse, a sentence each: rates, those of judges, cases, scores."""
    if (metrics["pass_rate"]["delta"] or 0) < 0:
        yield "pass_rate decreased"
    if (metrics["hard_fail_rate"]["delta"] or 0) > 0:
        yield "hard_fail_rate increased"
    for name, one in judges.items():
        if (one["delta"] or 0) < 0:
            yield f"{name} pass rate decreased"
    for id_ in worse:
        yield f"case regressed: {id_}"
    for drop in drops:
        yield f"score decreased: {drop['case_id']} ({drop['judge_id']})"


def _tells_judges(cases: Mapping[str, CaseRow]) -> bool:
    """Whether anything is known beyond whether cases passed: of pinned results it is not."""
    return any(row.judge_results for row in cases.values())


def _clusters(cases: Mapping[str, CaseRow]) -> Counter[str]:
    return Counter(
        f"{one.judge_id}:{one.reason}"
        for row in cases.values()
        for one in row.judge_results
        if not one.passed and not one.skipped
    )


def _ranked(before: Counter[str], after: Counter[str]) -> list[dict[str, Any]]:
    rows = [
        {
            "cluster": name,
            "baseline_count": before[name],
            "candidate_count": after[name],
            "delta": after[name] - before[name],
        }
        for name in {*before, *after}
    ]
    return sorted(rows, key=lambda row: (-row["delta"], row["cluster"]))
