"""Evaluators that a trace case names judge it beside the judges, and none is left out silently."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from evaltui.cli.main import run_command
from evaltui.core.case import Case, TraceCase
from evaltui.core.case_body import EvaluatorUse
from evaltui.core.check import CheckContext
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.expectations.contract_config import ContractConfig
from evaltui.judging.judge import judge
from evaltui.kinds import plan_of
from evaltui.traces.judges import stage_of
from evaltui.traces.mistakes import SuiteMistake
from evaltui.traces.reading import case_document, read_case
from evaltui.traces.recorded_response import recorded_response
from evaltui.traces.scoring import score
from tests.evidence.made_packs import made_pack, read, says, suite_of
from tests.traces.judges.test_judges import call, result, say

PASSED, FAILED, SKIPPED = VerdictStatus.PASSED, VerdictStatus.FAILED, VerdictStatus.SKIPPED
EVENTS = (call("find", {"q": "tea"}), result("find", "green"), say("yes, green tea"))
LENGTH = "response-length"


def case_with(*evaluators: Any) -> Case:
    trace = [{"idx": index, **event} for index, event in enumerate(EVENTS)]
    return read_case("d", {"case_id": "c", "trace": trace, "evaluators": [*evaluators]}, 0)


def scored(*evaluators: Any) -> dict[str, Verdict]:
    found = asyncio.run(score(case_with(*evaluators), stage_of(("policy",))))
    return {one.check: one for one in found}


def test_final_output_and_calls_of_a_trace_are_judged() -> None:
    order = {"type": "tool-order", "config": {"tools": ["find"]}}
    found = scored({"type": LENGTH, "config": {"max": 5}}, order)
    assert [*found] == ["replay_contract", "policy", f"evaluator/{LENGTH}", "evaluator/tool-order"]
    assert found[f"evaluator/{LENGTH}"].status is FAILED
    assert found["evaluator/tool-order"].status is PASSED
    other = {"type": "tool-order", "config": {"tools": ["other"]}}
    assert scored(other)["evaluator/tool-order"].status is FAILED


def test_two_of_one_type_have_names_of_their_own() -> None:
    both = scored({"type": LENGTH, "config": {"max": 5}}, {"type": LENGTH, "config": {"max": 50}})
    assert both[f"evaluator/{LENGTH}"].status is FAILED
    assert both[f"evaluator/{LENGTH} 2"].status is PASSED


def test_one_that_does_not_come_along_ends_the_run_of_a_suite() -> None:
    with pytest.raises(SuiteMistake, match=r"`evaluators\[0\].type`") as raised:
        scored({"type": "respones-length"})
    assert f"Did you mean `{LENGTH}`" in raised.value.hint


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ([{"config": {}}], "cases[0].evaluators[0]"),
        ([{"type": 5}], "cases[0].evaluators[0].type"),
        ({"type": LENGTH}, "cases[0].evaluators"),
        ([{"type": LENGTH, "confg": {"max": 5}}], "cases[0].evaluators[0].confg"),
    ],
)
def test_what_is_no_evaluator_is_refused_at_its_place(written: Any, key: str) -> None:
    with pytest.raises(SuiteMistake) as raised:
        read_case("d", {"case_id": "c", "evaluators": written}, 0)
    assert raised.value.key == key


def test_the_board_judges_by_the_judges_and_by_them() -> None:
    case = case_with({"type": LENGTH, "config": {"max": 5}})
    plan = plan_of(case, config=ContractConfig())
    assert len(plan) == 1, "every one of them is heard"
    assert [one.name for one in plan[0]][-1] == f"evaluator/{LENGTH}"
    outcome = asyncio.run(judge(plan, CheckContext(case, recorded_response(case))))
    assert not outcome.success
    assert "14 characters" in outcome.reason


def test_a_pack_holds_them_and_replays_by_them(tmp_path: Path) -> None:
    short = {"evaluators": [{"type": LENGTH, "config": {"max": 2}}]}
    suite = suite_of(tmp_path / "s.json", says("a", "yes", **short), says("b", "yes"))
    pack = made_pack(tmp_path / "p", suite)
    rates = read(pack / "run/summary.json")["judge_pass_rates"]
    assert rates[f"evaluator/{LENGTH}"] == 0.0
    assert read(pack / "run/summary.json")["passed_cases"] == 1
    assert "evaluators" not in read(pack / "cases/b/trajectory.json")
    assert run_command(["replay", "--run", str(pack)]) == 0
    long = {"evaluators": [{"type": LENGTH, "config": {"max": 9}}]}
    mended = made_pack(tmp_path / "q", suite_of(tmp_path / "t.json", says("a", "yes", **long)))
    row = read(mended / "cases/a/verdicts.json")["judge_results"][-1]
    assert (row["judge_id"], row["passed"], row["score"]) == (f"evaluator/{LENGTH}", True, 1.0)


def test_a_candidate_without_the_evaluators_of_the_baseline_is_no_match(
    tmp_path: Path, capsys: Any
) -> None:
    used = {"evaluators": [{"type": LENGTH, "config": {"max": 9}}]}
    before = made_pack(tmp_path / "p", suite_of(tmp_path / "s.json", says("a", "yes", **used)))
    after = made_pack(tmp_path / "q", suite_of(tmp_path / "t.json", says("a", "yes")))
    capsys.readouterr()
    sides = ["compare", "--baseline", str(before), "--candidate", str(after)]
    assert run_command(sides) == 1
    assert f"evaluator/{LENGTH}" in capsys.readouterr().err


def test_a_case_document_is_read_again_as_the_same_case() -> None:
    case = case_with({"type": LENGTH, "config": {"max": 5}})
    body = case.body
    assert isinstance(body, TraceCase)
    assert body.evaluators == (EvaluatorUse(LENGTH, {"max": 5}),)
    document = {**to_builtins(case_document(case))}
    assert read_case("d", document, 0) == case
