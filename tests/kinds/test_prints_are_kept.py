"""Fingerprints of cases are as they always were: another one makes a case of every board due."""

import pytest
from msgspec.structs import replace

from evaltui.core.case import (
    Case,
    CaseBody,
    CaseKey,
    ContractCase,
    RubricCase,
    RubricDimension,
    ScenarioCase,
    Tier,
    TraceCase,
)
from evaltui.core.case_body import EvaluatorUse
from evaltui.core.fingerprint import answer_fingerprint, case_fingerprint, former_fingerprint
from evaltui.core.persona import FailureMode, Persona
from evaltui.core.response import Message, ToolCall
from evaltui.core.trace import Event, ToolContract, ToolPolicy

EXPECT = {"toolsCalled": ["find"], "responseContains": ["é"]}
USES = (EvaluatorUse("regex", {"pattern": "a"}), EvaluatorUse("tool-call-count"))
SEEDS = (
    Message("user", "hi", name="Ann"),
    Message("assistant", "I look", (ToolCall("find", {"q": 1}, True, 2.0, {"hits": 3}, id="c"),)),
)
EVENT = Event(0, "assistant", "message", output={"a": 1.5}, latency_ms=3, attributes={"x": "y"})
BODIES: dict[str, CaseBody] = {
    "contract": ContractCase(
        "hi",
        expect=EXPECT,
        stubs={"find": {"hits": 1}},
        max_turns=3,
        difficulty="edge",
        created_at="2026",
        bug_ref="B-1",
        evaluators=USES,
    ),
    "bare": ContractCase("hi"),
    "rubric": RubricCase(
        "hi", expect={}, dimensions=(RubricDimension("tone", 3, "kind"),), reference_data={"a": [1]}
    ),
    "bare rubric": RubricCase("hi"),
    "scripted": ScenarioCase(
        "hi",
        name="two",
        instructions="look",
        persona=Persona("Ann", "polite", "be Ann", ("one", "two")),
        seed_messages=SEEDS,
        max_messages=4,
        success_criteria="good",
        failure_criteria="bad",
        failure_criteria_mode=FailureMode.EVERY_TURN,
        evaluators=USES,
    ),
    "played": ScenarioCase(
        "", persona=Persona("Ann", "", "be Ann"), success_criteria="good", stubs={"find": 1}
    ),
    "trace": TraceCase(
        "hi",
        evaluators=USES,
        input={"q": 1},
        expected_output="x",
        trace=(EVENT,),
        tool_contracts={"find": ToolContract(required_args=("q",))},
        policy=ToolPolicy(required_tools=("find",)),
        regex_patterns=("x",),
        json_schema={"type": "object"},
        metadata={"group": "g"},
    ),
    "bare trace": TraceCase("hi"),
}
KEPT: dict[str, tuple[str, str, str]] = {
    "contract": ("ccdf23bba98a", "cab494f55334", "2f07d636042e"),
    "bare": ("626ab87d3413", "a62e21d52bec", "b60c752d677a"),
    "rubric": ("cfeda6c35653", "06f595f2a896", "cb6ef9db4c71"),
    "bare rubric": ("626ab87d3413", "a62e21d52bec", "cb6ef9db4c71"),
    "scripted": ("c7f86f7d68f6", "07dd566e4dd6", "080a62b0cb01"),
    "played": ("d0aa38902d5a", "959c8675c9f3", "5b5d1e1d2580"),
    "trace": ("184afc06df9e", "d05ef3ccedd5", "00e90009dd45"),
    "bare trace": ("62ecfcf34555", "40b455399f6f", "b5581c417e6c"),
}
"""Of the case, of what it was where a key of one's own counted, of what an agent is given."""


def made(body: CaseBody, tier: Tier = Tier.GOLDEN, invalid: str = "") -> Case:
    return Case(CaseKey("s", "a"), body, tier, "said", invalid=invalid, extra={"group": "g"})


@pytest.mark.parametrize("name", BODIES)
def test_of_each_kind(name: str) -> None:
    case = made(BODIES[name])
    prints = (case_fingerprint(case), former_fingerprint(case), answer_fingerprint(case))
    assert prints == KEPT[name]
    bare = replace(case, extra={})
    assert (case_fingerprint(bare), former_fingerprint(bare)) == (KEPT[name][0], "")


def test_of_a_regression_case_and_of_one_that_cannot_be_judged() -> None:
    case = made(BODIES["contract"], Tier.REGRESSION)
    assert case_fingerprint(case) == "e269179d82ed"
    invalid = made(BODIES["trace"], Tier.TRACE, "no id")
    assert (former_fingerprint(invalid), answer_fingerprint(invalid)) == (
        "c587baaf2626",
        "9df0e4af420c",
    )
