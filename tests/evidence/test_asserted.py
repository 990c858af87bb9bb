"""A case that asserts less than in the baseline, or other things, lets no release pass."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli.main import run_command
from evaltui.core.agent_name import JUDGE
from evaltui.core.case import (
    Case,
    CaseBody,
    CaseKey,
    ContractCase,
    RubricCase,
    RubricDimension,
    ScenarioCase,
)
from evaltui.core.case_body import EvaluatorUse
from evaltui.core.inputs import Inputs
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.verdict import Kind, Verdict, VerdictStatus
from evaltui.evidence.asserted import asserted_of
from evaltui.evidence.case_row import Asserted, CaseRow
from evaltui.evidence.compared.comparing import compare
from evaltui.evidence.compared.lost_checks import lost as lost_of
from evaltui.evidence.compared.side import Side, read_side
from evaltui.evidence.gates.gating import gate
from evaltui.traces.judge_row import JudgeRow
from tests.evidence.made_packs import as_other_program, made_pack, read, says, suite_of

CALL = {"idx": 0, "actor": "agent", "type": "tool_call", "tool": "look", "input": {"q": 1}}
RESULT = {"idx": 1, "actor": "tool", "type": "tool_result", "tool": "look", "output": 1}
SAID = {"idx": 2, "actor": "assistant", "type": "message", "output": '{"yes": 1}'}
WHOLE: dict[str, Any] = {
    "case_id": "x",
    "trace": [CALL, RESULT, SAID],
    "regex_patterns": ["yes", "1"],
    "policy": {"required_tools": ["look"], "forbidden_tools": ["drop"]},
    "tool_contracts": {"look": {"required_args": ["q"], "forbidden_args": ["all"]}},
    "json_schema": {"type": "object", "required": ["yes"]},
    "evaluators": [{"type": "response-length", "config": {"min": 1}}],
}
OTHER = says("y", "yes", evaluators=WHOLE["evaluators"])


def lost(tmp_path: Path, after: dict[str, Any], before: dict[str, Any] = WHOLE) -> Any:
    """What the comparison of the case before and after says that it lost."""
    sides = [("b", before), ("c", after)]
    packs = [made_pack(tmp_path / n, suite_of(tmp_path / f"{n}.json", c, OTHER)) for n, c in sides]
    report = compare(*map(read_side, packs), reference={})
    passed = gate(report, {"min_pass_rate": 1.0})["passed"]
    assert passed == (not report["lost_checks"])
    return report["lost_checks"]


@pytest.mark.parametrize(
    ("change", "judges"),
    [
        ({"regex_patterns": [".*", "1"]}, ["regex"]),
        ({"regex_patterns": ["1"]}, ["regex"]),
        ({"policy": {"required_tools": ["look"]}}, ["policy"]),
        ({"policy": {}}, ["policy"]),
        ({"tool_contracts": {"look": {"required_args": ["q"]}}}, ["tool_contract"]),
        ({"tool_contracts": {**WHOLE["tool_contracts"], "any": {}}}, ["tool_contract"]),
        ({"json_schema": {"type": "object"}}, ["json_schema"]),
        ({"json_schema": None}, ["json_schema"]),
        ({"evaluators": []}, ["evaluator/response-length"]),
    ],
)  # fmt: skip
def test_a_case_that_lost_a_demand_is_named(
    change: dict[str, Any], judges: list[str], tmp_path: Path
) -> None:
    assert lost(tmp_path, {**WHOLE, **change}) == [{"case_id": "x", "judges": judges}]


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"regex_patterns": ["1", "yes", "more|yes"]},
        {"policy": {"required_tools": ["look"], "forbidden_tools": ["rm", "drop"]}},
        {"metadata": {"note": "edited"}},
    ],
)
def test_the_same_and_more_lose_nothing(change: dict[str, Any], tmp_path: Path) -> None:
    assert lost(tmp_path, {**WHOLE, **change}) == []


def test_another_question_under_the_same_id_is_another_case(tmp_path: Path) -> None:
    sides = [("b", says("x", "yes", input="Is it?")), ("c", says("x", "yes", input="Was it?"))]
    packs = [made_pack(tmp_path / n, suite_of(tmp_path / f"{n}.json", c)) for n, c in sides]
    report = compare(*map(read_side, packs), reference={})
    assert report["lost_checks"] == [{"case_id": "x", "judges": ["input"]}]
    assert not gate(report, {"min_pass_rate": 1})["passed"]
    assert compare(*map(read_side, (packs[0], packs[0])), reference={})["lost_checks"] == []


def asks(question: str, **more: Any) -> dict[str, Any]:
    """A case with a user's message in its trace."""
    case = says("x", "yes", **more)
    asked = {"idx": 0, "actor": "user", "type": "message", "input": question}
    return {**case, "trace": [asked, {**case["trace"][0], "idx": 1}]}


@pytest.mark.parametrize(
    ("before", "after", "names"),
    [
        (asks("Is it?"), asks("Is it?"), []),
        (asks("Is it?"), asks("1 + 1?"), ["question"]),
        (asks("Is it?"), asks("1 + 1?", input="Is it?"), ["question"]),
        (asks("Is it?", input="Is it?"), asks("1 + 1?", input="Is it?"), ["question"]),
        (asks("Is it?"), says("x", "yes"), ["question"]),
    ],
)
def test_another_question_in_its_trace_makes_it_another_case_too(
    before: dict[str, Any], after: dict[str, Any], names: list[str], tmp_path: Path
) -> None:
    sides = [("b", before), ("c", after)]
    packs = [made_pack(tmp_path / n, suite_of(tmp_path / f"{n}.json", c)) for n, c in sides]
    report = compare(*map(read_side, packs), reference={})
    assert report["lost_checks"] == ([{"case_id": "x", "judges": names}] if names else [])
    assert gate(report, {"min_pass_rate": 1})["passed"] is not bool(names)


def test_an_expected_output_is_lost_to_a_pattern_that_judges_in_its_place(tmp_path: Path) -> None:
    before = says("x", "yes", regex_patterns=[], expected_output="yes")
    after = says("x", "yes", regex_patterns=["."], expected_output="yes")
    sides = [("b", before), ("c", after)]
    kept = says("z", "yes", regex_patterns=[], expected_output="yes")
    packs = [made_pack(tmp_path / n, suite_of(tmp_path / f"{n}.json", c, kept)) for n, c in sides]
    report = compare(*map(read_side, packs), reference={})
    assert report["lost_checks"] == [{"case_id": "x", "judges": ["expected_output"]}]


def test_of_packs_that_do_not_say_it_the_cases_are_read(tmp_path: Path) -> None:
    before = made_pack(tmp_path / "b", suite_of(tmp_path / "b.json", WHOLE, OTHER))
    weaker = {**WHOLE, "regex_patterns": [".*"]}
    after = made_pack(tmp_path / "c", suite_of(tmp_path / "c.json", weaker, OTHER))
    whole = read_side(before).cases
    assert read_side(as_other_program(before)).cases == whole
    report = compare(read_side(before), read_side(as_other_program(after)), reference={})
    assert report["lost_checks"] == [{"case_id": "x", "judges": ["regex"]}]
    bare = read_side(after / "report.json")  # nothing is known: all may be gone
    rows = compare(read_side(before), bare, reference={})["lost_checks"]
    assert {row["case_id"] for row in rows} == {"x", "y"}


def test_a_waiver_is_for_the_case_or_for_the_judges_that_demand_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    made_pack(Path("b"), suite_of(Path("b.json"), WHOLE, OTHER))
    weaker = {**WHOLE, "regex_patterns": [".*"], "policy": {}}
    made_pack(Path("c"), suite_of(Path("c.json"), weaker, OTHER))

    def registry(*flags: str) -> None:
        assert run_command(["registry", *flags]) == 0

    registry("baseline-set", "--name", "main", "--run", "b")
    assert run_command(["compare", "--baseline", "main", "--candidate", "c"]) == 0
    waived = ("--apply-waivers", "--baseline-name", "main", "--min-pass-rate", "1")
    gated = ("gate", "--compare", "c/compare/baseline_delta.json", *waived)
    assert run_command([*gated]) == 1
    failures = read(Path("c/compare/gate_decision.json"))["failures"]
    what = "cases assert less than in the baseline, or other things: x (policy, regex)"
    assert what in failures
    who = ("--baseline-name", "main", "--approved-by", "me", "--reason", "known")
    registry("waiver-add", *who, "--case-id", "x", "--judge-id", "regex")
    assert run_command([*gated]) == 1
    registry("waiver-add", *who, "--case-id", "x", "--judge-id", "policy")
    run_command([*gated])
    capsys.readouterr()
    failures = read(Path("c/compare/gate_decision.json"))["failures"]
    assert failures == ["judges of the baseline judged nothing: policy"]


def test_a_replay_says_when_the_pack_tells_that_more_was_asserted(tmp_path: Path) -> None:
    pack = made_pack(tmp_path / "b", suite_of(tmp_path / "b.json", WHOLE, OTHER))
    assert run_command(["replay", "--run", str(pack)]) == 0
    for name in ("report.json", "cases/x/verdicts.json"):
        found = read(pack / name)
        (row,) = [one for one in found.get("cases", [found]) if one["case_id"] == "x"]
        row["asserted"]["regex"] += ["000000000000"]
        (pack / name).write_text(json.dumps(found))
    assert run_command(["replay", "--run", str(pack)]) == 1
    told = read(pack / "compare" / "replay_report.json")
    assert told["verdict_mismatches"] == [{"case_id": "x", "judges": ["regex"]}]


KEY = CaseKey("s", "x")
PARAM = {"tool": "look", "paramName": "q", "assertion": "equals", "value": "1"}
EXPECT: dict[str, Any] = {
    "toolsCalled": ["look"],
    "toolsNotCalled": ["drop", "rm"],
    "toolParams": [PARAM],
    "noToolErrors": True,
    "responseContains": ["one", "{{live}}"],
    "responseContainsAny": [["a", "b"]],
    "responseMatches": ["^one"],
    "maxLatencyMs": 100,
}


def asserted(body: CaseBody, *skipped: str) -> Asserted:
    """`skipped`: labels of what was skipped for want of a live value."""
    skip = VerdictStatus.SKIPPED
    unheld = (
        Verdict(name.partition("[")[0], skip, "", label=name, skipped_tokens=("t",))
        for name in skipped
    )
    result = CaseResult(KEY, "r", "a", CaseStatus.PASSED, verdicts=tuple(unheld))
    return asserted_of(Case(KEY, body), result)


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"toolsCalled": None, "toolsAcceptable": [["look"], []]}, ["toolsCalled"]),
        ({"toolsNotCalled": ["rm"]}, ["toolsNotCalled"]),
        ({"toolsNotCalled": ["more", "rm", "drop"]}, []),
        ({"toolParams": [{**PARAM, "assertion": "exists"}]}, ["toolParams"]),
        ({"noToolErrors": False}, ["noToolErrors"]),
        ({"responseContains": ["{{live}}", "more", "one"]}, []),
        ({"responseContains": ["", "{{live}}"]}, ["responseContains"]),
        ({"responseContainsAny": [["a", "b", "c"]]}, ["responseContainsAny"]),
        ({"responseMatches": [".*"]}, ["responseMatches"]),
        ({"maxLatencyMs": 10_000}, ["maxLatencyMs"]),
    ],
)
def test_of_an_eval_file_each_assertion_tells_its_demands(
    change: dict[str, Any], names: list[str]
) -> None:
    after = {key: one for key, one in {**EXPECT, **change}.items() if one is not None}
    before = asserted(ContractCase("q", expect=EXPECT, stubs={"look": 1}))
    assert lost_of(before, asserted(ContractCase("q", expect=after, stubs={"look": 1}))) == names


def test_what_was_skipped_for_want_of_a_live_value_was_not_asserted() -> None:
    body = ContractCase("q", expect=EXPECT)
    assert lost_of(asserted(body), asserted(body, "responseContains[1]")) == ["responseContains"]
    assert lost_of(asserted(body, "responseContains[1]"), asserted(body)) == []


GRADES = (RubricDimension("tone", 3, "kind"),)


@pytest.mark.parametrize(
    ("before", "after", "names"),
    [
        (
            RubricCase("q", expect={}, dimensions=(RubricDimension("tone", 3, "kind"),)),
            RubricCase("q", expect={}, dimensions=(RubricDimension("tone", 3, "anything"),)),
            ["rubric/tone"],
        ),
        (
            ScenarioCase("q", success_criteria="it is booked"),
            ScenarioCase("q", success_criteria="it ended"),
            ["criteria", "input"],  # who plays the user is told of success
        ),
        (
            ScenarioCase("q", failure_criteria="it was refused"),
            ScenarioCase("q", failure_criteria="it crashed"),
            ["criteria"],
        ),
        (
            ContractCase("q", expect={}, evaluators=(EvaluatorUse("tokens", {"max": 1}),)),
            ContractCase("q", expect={}, evaluators=(EvaluatorUse("tokens", {"max": 9}),)),
            ["tokens"],
        ),
        (
            ContractCase("q", expect={"noToolErrors": True}),
            ContractCase("r", expect={"noToolErrors": True}),
            ["input"],
        ),
        (ScenarioCase("q", max_messages=9), ScenarioCase("q", max_messages=1), ["input"]),
        (
            ContractCase("q", expect={}, stubs={"look": {"t": 18}}),
            ContractCase("q", expect={}, stubs={"look": {"t": 25}}),
            ["stubs"],
        ),
        (ContractCase("q", expect={}), ContractCase("q", expect={}, stubs={"look": 1}), ["stubs"]),
        (
            RubricCase("q", expect={}, dimensions=GRADES, reference_data={"t": 18}),
            RubricCase("q", expect={}, dimensions=GRADES, reference_data={"t": 25}),
            ["referenceData"],
        ),
    ],
)
def test_rubrics_criteria_evaluators_and_what_is_asked_are_demands(
    before: CaseBody, after: CaseBody, names: list[str]
) -> None:
    assert lost_of(asserted(before), asserted(after)) == names
    assert lost_of(asserted(before), asserted(before)) == []


def judged(body: CaseBody, judge: str, *checks: tuple[str, Kind]) -> Asserted:
    """`judge`: the print of how the model is set that judges."""
    found = tuple(Verdict(name, VerdictStatus.PASSED, "", kind=kind) for name, kind in checks)
    inputs = Inputs(checks={JUDGE: judge})
    result = CaseResult(KEY, "r", "a", CaseStatus.PASSED, verdicts=found, inputs=inputs)
    return asserted_of(Case(KEY, body), result)


GRADED = RubricCase("q", expect={}, dimensions=GRADES)
DECIDES, MEASURES = ("rubric/tone", Kind.ASSERTION), ("rubric/tone", Kind.METRIC)


def test_a_judge_that_is_set_otherwise_or_only_measures_now_asserts_something_else() -> None:
    before = judged(GRADED, "0.8", DECIDES)
    assert lost_of(before, judged(GRADED, "0.8", DECIDES)) == []
    assert lost_of(before, judged(GRADED, "0.3", DECIDES)) == ["judge"]
    assert lost_of(before, judged(GRADED, "none", MEASURES)) == ["judge", "rubric/tone"]
    assert lost_of(judged(GRADED, "none", MEASURES), before) == [], "asserting more is fine"
    assert judged(GRADED, "0.8") == before, "where it did not come to that, it would have decided"


def test_an_evaluator_that_only_measures_now_asserts_nothing() -> None:
    body = ContractCase("q", expect={}, evaluators=(EvaluatorUse("size", {}),))
    before = judged(body, "", ("size", Kind.ASSERTION))
    assert lost_of(before, judged(body, "", ("size", Kind.METRIC))) == ["size"]
    assert lost_of(judged(body, "", ("size", Kind.METRIC)), before) == []


def test_how_a_judge_was_set_is_unknown_where_a_pack_of_before_does_not_tell() -> None:
    known = {name: tuple(one) for name, one in judged(GRADED, "0.8", DECIDES).items()}
    rows = (JudgeRow("rubric/tone", passed=True),)
    after = CaseRow("x", True, judge_results=rows, asserted=known)
    old = {name: one for name, one in known.items() if name != JUDGE}
    summary = {"pass_rate": 1.0, "total_cases": 1}
    for asserted, unknown in ((known, []), (old, ["x"])):
        before = CaseRow("x", True, judge_results=rows, asserted=asserted)
        sides = [Side(Path(), summary, cases={"x": one}) for one in (before, after)]
        report = compare(*sides, reference={})
        assert (report["unknown_checks"], report["lost_checks"]) == (unknown, [])
