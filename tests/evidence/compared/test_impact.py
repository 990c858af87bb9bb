"""How much a comparison matters: each level of it, and how much of it is shown."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.evidence.compared.comparing import compare
from evaltui.evidence.compared.impact import release_impact, risk_level, triage
from evaltui.evidence.compared.side import read_side
from evaltui.traces.judges import JUDGES


@pytest.mark.parametrize(
    ("passed", "hard", "regressed", "level"),
    [
        (0.0, 0.11, 0, "high"),
        (0.0, 0.1, 0, "medium"),
        (0.0, 0.0, 10, "high"),
        (-0.04, 0.0, 0, "medium"),
        (0.0, 0.03, 0, "medium"),
        (0.0, 0.0, 1, "medium"),
        (-0.03, 0.02, 0, "low"),
    ],
)
def test_the_risk_is_told_by_rates_and_cases(
    passed: float, hard: float, regressed: int, level: str
) -> None:
    assert risk_level({"pass_rate": passed, "hard_fail_rate": hard}, regressed) == level


@pytest.mark.parametrize(
    ("passed", "hard", "regressed", "new_hard", "score", "level"),
    [
        (-0.5, 0.0, 0, 0, 60.0, "critical"),
        (0.0, 0.2, 0, 0, 30.0, "high"),
        (-0.1, 0.0, 0, 0, 12.0, "medium"),
        (0.0, 0.0, 2, 1, 10.0, "low"),
        (1.0, -1.0, 0, 0, 0.0, "low"),
        (-1.0, 1.0, 9, 9, 100.0, "critical"),
    ],
)
def test_the_impact_has_four_levels(
    passed: float, hard: float, regressed: int, new_hard: int, score: float, level: str
) -> None:
    deltas = {"pass_rate": passed, "hard_fail_rate": hard}
    found = release_impact(deltas, regressed, new_hard)
    assert (found["impact_score"], found["impact_level"]) == (score, level)


def test_so_many_fixes_are_suggested_the_most_frequent_first() -> None:
    rows = [{"cluster": f"regex:r{one}", "delta": 20 - one} for one in range(20)]
    found = triage([*rows, {"cluster": "policy:p", "delta": 0}])
    assert [one["reason"] for one in found["top_clusters"]] == [f"r{one}" for one in range(15)]
    assert found["suggested_fixes_count"] == 15


def test_what_fails_as_often_as_before_needs_no_fix() -> None:
    rows = [{"cluster": f"regex:{one}", "delta": one} for one in (1, 0, -1)]
    assert [one["delta"] for one in triage(rows)["top_clusters"]] == [1]


def test_each_judge_that_comes_along_has_advice_of_its_own() -> None:
    names = ["replay_contract", *JUDGES]
    found = [triage([{"cluster": f"{name}:r", "delta": 1}]) for name in (*names, "my_judge")]
    advice = [one["top_clusters"][0]["suggested_fix"] for one in found]
    assert len({*advice}) == len(advice), advice


def report_of(path: Path, passed: bool) -> Path:
    """Of a case that thirty judges let pass or not, each for a reason of its own."""
    rows: list[dict[str, Any]] = [
        {
            "case_id": "a",
            "evidence_refs": {},
            "hard_fail": False,
            "judge_id": f"judge-{one:02}",
            "passed": passed,
            "reason": "holds" if passed else f"why {one}",
            "score": float(passed),
            "skipped": False,
        }
        for one in range(30)
    ]
    summary = {
        "run_id": path.stem,
        "dataset_id": "d",
        "total_cases": 1,
        "passed_cases": int(passed),
        "failed_cases": int(not passed),
        "hard_fail_cases": 0,
        "pass_rate": float(passed),
        "hard_fail_rate": 0.0,
        "judge_pass_rates": {row["judge_id"]: float(passed) for row in rows},
        "schema_version": "1.0.0",
    }
    case = {"case_id": "a", "passed": passed, "hard_failed": False, "judge_results": rows}
    config = {"judges": [row["judge_id"] for row in rows], "run_id": path.stem}
    path.write_text(json.dumps({"run_config": config, "summary": summary, "cases": [case]}))
    return path


def test_a_report_names_ten_judges_and_twenty_five_kinds_of_failure(tmp_path: Path) -> None:
    before = read_side(report_of(tmp_path / "b.json", passed=True))
    after = read_side(report_of(tmp_path / "c.json", passed=False))
    report = compare(before, after, reference={}, allow_incompatible=False)
    assert len(report["judge_metrics"]) == 30
    worst = [one["judge_id"] for one in report["top_regressed_judges"]]
    assert worst == [f"judge-{one:02}" for one in range(10)]
    ranked = [one["cluster"] for one in report["failure_clusters"]["delta_ranked"]]
    assert (len(ranked), ranked) == (25, sorted(ranked))
