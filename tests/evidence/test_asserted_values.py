"""The values of tokens and the settings of a run are part of what was asserted."""

from typing import Any

import pytest

from evaltui.core.case import Case, CaseKey, ContractCase
from evaltui.core.check import CheckContext
from evaltui.core.inputs import Inputs
from evaltui.core.json_value import Json
from evaltui.core.response import AgentResponse, ToolCall
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.verdict import Verdict
from evaltui.evidence.asserted import asserted_of
from evaltui.evidence.case_row import Asserted
from evaltui.evidence.compared.lost_checks import less_asserted
from evaltui.evidence.compared.lost_checks import lost as lost_of
from evaltui.expectations.contract import contract_plan
from evaltui.expectations.mentions import seed_paths
from evaltui.project.seed_prints import SeedPrints

KEY = CaseKey("s", "x")
PARAM = {"tool": "look", "paramName": "q", "assertion": "equals", "value": "1"}
HOT = {
    "responseContains": ["{{seed:t}} degrees", "It"],
    "responseContainsAny": [["{{seed:t}}", "warm"]],
    "toolParams": [{**PARAM, "assertion": "contains", "value": "{{seed:city}}"}],
}


def seeded(expect: dict[str, Any], seed: Json, snapshot: Json = None) -> Asserted:
    """As a case was judged with these values."""
    case = Case(KEY, ContractCase("q", expect=expect))
    call = ToolCall("look", {"q": "Paris and Rome"})
    context = CheckContext(case, AgentResponse("It is warm: 18", (call,)), seed, snapshot)
    stages = contract_plan(case)
    verdicts = [check.run(context) for stage in stages for check in stage]
    found = tuple(one for one in verdicts if isinstance(one, Verdict))
    inputs = Inputs(seed=SeedPrints(seed).of(seed_paths(case)))
    result = CaseResult(KEY, "r", "a", CaseStatus.PASSED, verdicts=found, inputs=inputs)
    return asserted_of(case, result)


@pytest.mark.parametrize(
    ("after", "names"),
    [
        ({"t": "18", "city": "Paris", "more": 1}, []),
        ({"t": "25", "city": "Paris"}, ["responseContains", "responseContainsAny"]),
        ({"t": "", "city": "Paris"}, ["responseContains", "responseContainsAny"]),
        ({"city": "Paris"}, ["responseContains", "responseContainsAny"]),
        ({"t": "18", "city": "Rome"}, ["toolParams"]),
        ({"t": "18", "city": ""}, ["toolParams"]),
    ],
)
def test_another_value_of_the_seed_asserts_something_else(after: Json, names: list[str]) -> None:
    before = seeded(HOT, {"t": "18", "city": "Paris"})
    assert sorted(lost_of(before, seeded(HOT, after))) == names


@pytest.mark.parametrize(
    ("was", "is_", "is_same"),
    [
        (18, "18", True),
        (18.0, 18, True),
        (True, "true", True),
        ({"a": 1}, '{"a":1}', True),
        ([18], ["18"], False),
        (["18"], '["18"]', False),
    ],
)
def test_a_value_that_is_inserted_as_the_same_text_is_the_same(
    was: Json, is_: Json, is_same: bool
) -> None:
    expect = {"responseContains": ["{{seed:t}}"], "toolParams": [{**PARAM, "value": "{{seed:t}}"}]}
    lost_by = lost_of(seeded(expect, {"t": was}), seeded(expect, {"t": is_}))
    assert sorted(lost_by) == ([] if is_same else sorted(expect))


@pytest.mark.parametrize(
    ("expect", "is_emptied"),
    [
        ({"responseContains": ["{{snapshot:t}}"]}, True),
        ({"responseContainsAny": [["{{snapshot:t}}", "cold"]]}, True),
        ({"toolParams": [{**PARAM, "assertion": "contains", "value": "{{snapshot:t}}"}]}, True),
        ({"toolParams": [{**PARAM, "assertion": "equals", "value": "{{snapshot:t}}"}]}, False),
    ],
)
def test_live_values_may_be_others_but_not_empty(expect: dict[str, Any], is_emptied: bool) -> None:
    before = seeded(expect, None, {"t": "18"})
    assert lost_of(before, seeded(expect, None, {"t": "25"})) == []
    for empty in ("", " "):
        lost_by = lost_of(before, seeded(expect, None, {"t": empty}))
        assert lost_by == ([*expect] if is_emptied else [])


def test_an_empty_text_that_stands_in_the_file_is_no_loss() -> None:
    expect = {"responseContains": [""], "responseContainsAny": [["", "a"]]}
    assert lost_of(seeded(expect, None), seeded(expect, None)) == []
    assert set(seeded(expect, None)) >= set(expect)


def set_as(settings: dict[str, int], multiset: str) -> Asserted:
    inputs = Inputs(settings=settings, checks={"multiset_tools": multiset})
    result = CaseResult(KEY, "r", "a", CaseStatus.PASSED, inputs=inputs)
    return asserted_of(Case(KEY, ContractCase("q", expect={"toolsAcceptable": [["look"]]})), result)


@pytest.mark.parametrize(("was", "is_", "is_less"), [(3, 1, True), (3, 3, False), (1, 3, False)])
def test_fewer_trials_assert_less(was: int, is_: int, is_less: bool) -> None:
    lost_by = lost_of(set_as({"trials": was}, "on"), set_as({"trials": is_}, "on"))
    assert lost_by == (["trials"] if is_less else [])
    assert lost_of(set_as({}, "on"), set_as({"trials": is_}, "on")) == [], "it was not known"


@pytest.mark.parametrize("turns", [4, 6])
def test_another_number_of_turns_asserts_something_else(turns: int) -> None:
    result = CaseResult(KEY, "r", "a", CaseStatus.PASSED)
    before, after = (
        asserted_of(Case(KEY, ContractCase("q", expect={}, max_turns=most)), result)
        for most in (5, turns)
    )
    assert lost_of(before, before) == []
    assert lost_of(before, after) == ["maxTurns"]


def test_settings_that_let_more_pass_are_told_in_words() -> None:
    before = set_as({"timeoutMs": 1000}, "on")
    assert lost_of(before, set_as({"timeoutMs": 1000}, "on")) == []
    assert lost_of(set_as({"timeoutMs": 1000}, "off"), before) == [], "asserting more is fine"
    names = lost_of(before, set_as({"timeoutMs": 9000}, "off"))
    assert [*less_asserted([("x", names), ("y", ["regex", "stubs"])])] == [
        "cases assert less than in the baseline, or other things: y (regex)",
        "the time limit is another than in the baseline (`timeout_ms`): x",
        "repeated calls counted in the baseline and do not now (`multiset_tools`): x",
        "`stubs` answer for tools otherwise than in the baseline: y",
    ]
