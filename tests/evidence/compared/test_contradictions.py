"""A report that was edited by hand is found out by what it tells twice; none of ours is."""

import copy
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.cli.main import run_command
from evaltui.evidence.case_row import CaseRow
from evaltui.evidence.compared.compare_report import CompareReport, report_of
from evaltui.evidence.compared.comparing import compare
from evaltui.evidence.compared.contradictions import contradictions
from evaltui.evidence.compared.side import Side
from evaltui.evidence.gates.gating import gate
from evaltui.traces.judge_row import JudgeRow
from evaltui.traces.wire import pretty
from tests.evidence.made_packs import made_pack, read, says, suite_of

ALL_PASS = {"max_regressed_cases": 9, "max_new_hard_fail_cases": 9}


def side(*verdicts: tuple[bool, bool, float], first: int = 0) -> Side:
    """Of cases by whether each passed, failed hard, and the score of its one judge."""
    rows = {
        f"c{n}": CaseRow(f"c{n}", passed, hard, (JudgeRow("regex", passed, score),), asserted={})
        for n, (passed, hard, score) in enumerate(verdicts, first)
    }
    total, passed = len(rows), sum(one.passed for one in rows.values())
    hard = sum(one.hard_failed for one in rows.values())
    summary: dict[str, Any] = {"total_cases": total, "dataset_id": "d"}
    if total:
        summary |= {"pass_rate": passed / total, "hard_fail_rate": hard / total}
        summary["judge_pass_rates"] = {"regex": passed / total}
    return Side(Path(), summary, {}, rows)


def report_about(before: Side, after: Side) -> dict[str, Any]:
    made = compare(before, after, reference={}, allow_incompatible=True)
    found: dict[str, Any] = json.loads(pretty(made))
    return found


def found_in(report: dict[str, Any]) -> list[str]:
    return [*contradictions(report_of(report, CompareReport))]


VERDICTS = st.lists(st.tuples(st.booleans(), st.booleans(), st.sampled_from([0.0, 1 / 3, 1.0])))


@given(VERDICTS, VERDICTS, st.integers(0, 2))
def test_no_report_of_ours_contradicts_itself(before: Any, after: Any, first: int) -> None:
    assert found_in(report_about(side(*before), side(*after, first=first))) == []


PASSES, FAILS, FAILS_HARD = (True, False, 1.0), (False, False, 0.5), (False, True, 0.0)
BEFORE = (PASSES, PASSES, FAILS_HARD, FAILS, PASSES)
AFTER = (FAILS_HARD, FAILS_HARD, PASSES, FAILS_HARD, PASSES)
"""Two worse cases, one better one, one that now fails hard, and one as it was."""


@pytest.fixture
def report() -> dict[str, Any]:
    return report_about(side(*BEFORE), side(*AFTER))


def in_all(report: dict[str, Any]) -> None:
    """Every list that names a worse case is emptied, and every count of them."""
    report["case_regressions"] = [one for one in report["case_regressions"] if one["improved"]]
    report |= {"new_hard_fail_case_ids": [], "regressions": [], "score_regressions": []}
    report["overview"] |= {"regressed_cases": 0, "new_hard_fail_cases": 0}


def rates_too(report: dict[str, Any]) -> None:
    """A better rate, wherever it stands as itself."""
    report["metrics"]["pass_rate"] |= {"candidate": 0.8, "delta": 0.8 - 0.6}
    report["aggregate_result"] |= {"pass_rate": 0.8, "regression_delta": 0.8 - 0.6}


def one_more(report: dict[str, Any]) -> None:
    report["new_hard_fail_case_ids"].append("c9")
    report["overview"]["new_hard_fail_cases"] += 1


def put(*path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(report: dict[str, Any]) -> None:
        place: Any = report
        for key in path[:-1]:
            place = place[int(key) if isinstance(place, list) else key]
        place[path[-1]] = value

    return change


EDITS = [
    (put("case_regressions", value=[]), "`overview.regressed_cases` is 3"),
    (put("overview", "regressed_cases", value=0), "`overview.regressed_cases` is 0"),
    (put("overview", "improved_cases", value=4), "`overview.improved_cases` is 4"),
    (put("overview", "new_hard_fail_cases", value=0), "`overview.new_hard_fail_cases` is 0"),
    (put("overview", "resolved_hard_fail_cases", value=2), "`overview.resolved_hard_fail_cases`"),
    (put("new_hard_fail_case_ids", value=["c0"]), "`new_hard_fail_case_ids` and"),
    (put("new_hard_fail_case_ids", value=["c0", "c1", "c2"]), "differ in `c2`, `c3`"),
    (put("resolved_hard_fail_case_ids", value=["c9"]), "`resolved_hard_fail_case_ids` and"),
    (put("case_regressions", "0", "regressed", value=False), "`c0` is not as much worse"),
    (put("case_regressions", "0", "improved", value=True), "`c0` is not as much worse"),
    (put("case_regressions", "1", "case_id", value="c0"), "tells twice of `c0`"),
    (put("metrics", "pass_rate", "candidate", value=1.0), "`pass_rate` went from 0.6 to 1"),
    (put("metrics", "pass_rate", "delta", value=0.0), "its `delta` is 0"),
    (put("judge_metrics", "regex", "delta", value=0.1), "`regex` went from"),
    (put("aggregate_result", "pass_rate", value=1.0), "`aggregate_result.pass_rate` is 1"),
    (put("aggregate_result", "hard_fail_rate", value=0.0), "`aggregate_result.hard_fail_rate`"),
    (put("aggregate_result", "regression_delta", value=0.0), "`aggregate_result.regression_delta`"),
    (put("regressions", value=[]), "`regressions` and the rest"),
    (put("regressions", value=["case regressed: c4"]), "`case regressed: c0`"),
    (put("compatibility", "checks", value=[{"name": "judges_match"}]), "`judges_match`"),
    (in_all, "by `hard_fail_rate` +2 cases changed, by `case_regressions` -1"),
    (one_more, "`new_hard_fail_case_ids` and `case_regressions` differ in `c9`"),
    (rates_too, "by `pass_rate` +1 cases changed, by `case_regressions` -1"),
]


@pytest.mark.parametrize(("edit", "told"), EDITS)
def test_what_was_edited_by_hand_does_not_pass(
    edit: Callable[[dict[str, Any]], None], told: str, report: dict[str, Any]
) -> None:
    assert gate(report, ALL_PASS)["passed"]
    edited = copy.deepcopy(report)
    edit(edited)
    decision = gate(edited, ALL_PASS)
    assert not decision["passed"]
    (wrong, *_) = decision["failures"]
    assert wrong.startswith("the report contradicts itself: ")
    assert told in " ".join(decision["failures"])


def test_a_waiver_is_no_contradiction(report: dict[str, Any]) -> None:
    waived = gate(report, {"max_regressed_cases": 1}, waived={"c0", "c1"})
    assert (waived["passed"], waived["regressed_cases_considered"]) == (True, 1)


def test_of_what_is_not_told_nothing_is_held(report: dict[str, Any]) -> None:
    """As in reports of other programs, and of sides that tell nothing of their cases."""
    for name in ("overview", "regressions", "aggregate_result", "score_regressions"):
        del report[name]
    for row in report["case_regressions"]:
        del row["baseline_hard_failed"], row["improved"]
    assert found_in(report) == []
    summary = Side(Path(), {"total_cases": 5, "pass_rate": 1.0, "hard_fail_rate": 0.0})
    assert found_in(report_about(summary, side(*AFTER))) == []


def test_the_command_names_it_and_ends_with_1(tmp_path: Path) -> None:
    packs = [
        made_pack(tmp_path / name, suite_of(tmp_path / f"{name}.json", says("a", output)))
        for name, output in (("before", "yes"), ("after", "no"))
    ]
    sides = ["--baseline", str(packs[0]), "--candidate", str(packs[1])]
    assert run_command(["compare", *sides]) == 0
    file = packs[1] / "compare" / "baseline_delta.json"
    command = ["gate", "--compare", str(file), "--max-regressed-cases", "1"]
    assert run_command(command) == 0
    shutil.rmtree(packs[0])  # else the packs themselves tell that it was edited
    file.write_text(json.dumps({**read(file), "case_regressions": []}))
    assert run_command(command) == 1
    (why, *_) = read(file.with_name("gate_decision.json"))["failures"]
    assert "`overview.regressed_cases` is 1, and the report lists 0" in why
