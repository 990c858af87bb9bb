"""What one judge said of a case has one shape, wherever it is kept."""

import asyncio
import sys
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec import convert

from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.evidence.verdicts import case_verdicts
from evaltui.traces.judge_row import WholeRow, issues_of, row_of, score_of
from evaltui.traces.judges import stage_of
from evaltui.traces.loop_options import LoopOptions
from evaltui.traces.reading import read_case, trace_body
from evaltui.traces.repair_loop import run_loop
from evaltui.traces.scoring import score

PASSED, FAILED, SKIPPED = VerdictStatus.PASSED, VerdictStatus.FAILED, VerdictStatus.SKIPPED


@pytest.mark.parametrize(
    ("status", "value", "score"),
    [
        (PASSED, None, 1.0),
        (SKIPPED, None, 1.0),
        (FAILED, None, 0.0),
        (VerdictStatus.ERROR, None, 0.0),
        (PASSED, 0.25, 0.25),
        (FAILED, 0.75, 0.75),
    ],
)
def test_a_check_without_a_score_has_that_of_its_status(
    status: VerdictStatus, value: float | None, score: float
) -> None:
    assert score_of(Verdict("a", status, "x", value=value)) == score


def test_what_is_written_is_read_again() -> None:
    verdict = Verdict(
        "a", FAILED, "no", value=0.5, evidence={"k": 1}, hard=False, category="type_error"
    )
    row = row_of("case", verdict)
    assert row["case_id"] == "case"
    assert convert(row, WholeRow) == WholeRow(
        "a", False, 0.5, "no", False, hard_fail=False, category="type_error", evidence_refs={"k": 1}
    )
    assert "category" not in row_of("case", Verdict("a", PASSED, "yes"))


def test_issues_are_those_of_the_replay_contract() -> None:
    told = Verdict("replay_contract", FAILED, "x", evidence={"issues": ["gap"]})
    assert issues_of([Verdict("a", PASSED, "x"), told]) == ["gap"]
    assert issues_of([]) == []


def test_a_repair_loop_keeps_the_rows_of_a_pack(tmp_path: Path) -> None:
    (tmp_path / "say.py").write_text("print('no')")
    written = {"case_id": "c", "regex_patterns": ["yes"], "evaluators": [{"type": "json-valid"}]}
    stage, options = stage_of(("regex",)), LoopOptions((sys.executable, "say.py"), max_repairs=0)
    played = asyncio.run(run_loop(read_case("d", written, 0), stage, options, cwd=tmp_path))
    (attempt,) = cast(Any, trace_body(played.case).metadata["attempt_history"])
    rows = case_verdicts("c", asyncio.run(score(played.case, stage)))["judge_results"]
    assert case_verdicts("c", played.verdicts)["judge_results"] == rows
    assert attempt["judge_results"] == rows
    assert [one["judge_id"] for one in rows] == [
        *("replay_contract", "regex", "evaluator/json-valid"),
    ]


@pytest.mark.parametrize(
    ("status", "said", "written"),
    [
        ("failed", "timeout", "timeout"),
        ("failed", "", "assertion"),
        ("failed", "of their own", "assertion"),
        ("error", "auth", "judge_error"),
    ],
)
def test_a_failure_is_one_of_the_eight(status: str, said: str, written: str) -> None:
    verdict = Verdict("a", VerdictStatus(status), "why", category=said)
    assert row_of("c", verdict)["category"] == written
