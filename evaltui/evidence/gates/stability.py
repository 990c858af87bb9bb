"""`stability-check`: which cases pass now and then when they are judged or played again."""

from collections.abc import Mapping, Sequence
from math import isclose
from pathlib import Path
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, Any

from evaltui.core.errors import UserError
from evaltui.core.statistics.rates import Stability, pass_rate, stability
from evaltui.evidence.score_suite import Played
from evaltui.evidence.summary import SummaryCounts
from evaltui.evidence.verdicts import case_verdicts
from evaltui.traces.judges import DEFAULT, opened, stage_of
from evaltui.traces.reading import TraceSuite
from evaltui.traces.scoring import score

if TYPE_CHECKING:
    from evaltui.evaluators.registry import EvaluatorRegistry


async def check_stability(
    suite: TraceSuite,
    *,
    runs: int,
    judges: Sequence[str],
    judge_configs: Mapping[str, Any],
    mode: str,
    played: Played | None = None,
    quarantine_below: float = 0.98,
    evaluators: "EvaluatorRegistry | None" = None,
) -> dict[str, Any]:
    """The report as its file holds it. Raises UserError for less than two runs."""
    if runs < 2:
        raise UserError("Stability needs at least 2 runs.", "Give --runs 2 or more.")
    passed: dict[str, int] = {}
    hard: dict[str, int] = {}
    rows: list[dict[str, Any]] = []
    stage = stage_of(judges, judge_configs, Path.cwd())
    async with opened(stage):
        for index in range(runs):
            counts = SummaryCounts()
            for case in suite.cases():
                if played is None:
                    judged = await score(case, stage, evaluators)
                else:
                    judged = (await played(case, stage)).verdicts
                found = case_verdicts(case.id, judged)
                counts.add(found)
                passed[case.id] = passed.get(case.id, 0) + found["passed"]
                hard[case.id] = hard.get(case.id, 0) + found["hard_failed"]
            summary = counts.document(f"stability-{index + 1}", suite.dataset_id)
            rows.append({"run_index": index, **{name: summary[name] for name in _REPORTED}})
    cases = [_case(id_, passed[id_], hard[id_], runs, quarantine_below) for id_ in sorted(passed)]
    lists = {
        name: [one["case_id"] for one in cases if one[name]]
        for name in ("flaky", "consistently_failing", "quarantine_recommended")
    }
    rates = [row["pass_rate"] for row in rows]
    return {
        "dataset_id": suite.dataset_id,
        "runs": runs,
        "execution_mode": mode,
        "judge_names": list(judges or DEFAULT),
        "run_results": rows,
        "case_stability": cases,
        **{f"{name}_case_ids": ids for name, ids in lists.items()},
        "summary": {
            "avg_pass_rate": fmean(rates),
            "pass_rate_stddev": pstdev(rates),
            **{f"{name}_cases": len(ids) for name, ids in lists.items()},
        },
    }


_REPORTED = (
    *("run_id", "pass_rate", "hard_fail_rate", "passed_cases", "failed_cases"),
    "hard_fail_cases",
)


def _case(id_: str, passes: int, hard: int, runs: int, quarantine_below: float) -> dict[str, Any]:
    rate = pass_rate(passes, runs)
    found = stability(passes, runs)
    is_low = rate.rate < quarantine_below and not isclose(rate.rate, quarantine_below)
    return {
        "case_id": id_,
        "runs": runs,
        "pass_count": passes,
        "hard_fail_count": hard,
        "pass_rate": rate.rate,
        "confidence_95": {"low": rate.low, "high": rate.high},
        "flaky": found is Stability.FLAKY,
        "consistently_failing": found is Stability.FAILED,
        "quarantine_recommended": found is Stability.FLAKY and is_low,
    }
