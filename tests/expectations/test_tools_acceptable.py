"""One of several sets of calls, in any order."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.json_value import Json
from evaltui.core.verdict import VerdictStatus
from evaltui.expectations.call_diff import CallState
from evaltui.expectations.contract_config import ContractConfig
from evaltui.expectations.expected_diff import diff_expected
from tests.expectations.judging import calls, judge_one, make_case

PASSED, FAILED = VerdictStatus.PASSED, VerdictStatus.FAILED

NAMES = st.lists(st.sampled_from("abc"), max_size=5)


@pytest.mark.parametrize(
    ("expected", "called", "status", "reason"),
    [
        ([["a", "b"]], ["b", "a"], PASSED, "called"),
        ([["a"], ["a", "b"]], ["a"], PASSED, "called"),
        ([["a"]], ["a", "a"], FAILED, "another number of times"),
        ([["a", "a"]], ["a", "a"], PASSED, "called"),
        ([["__none__"]], [], PASSED, "no tool was called"),
        ([["__none__"]], ["a"], FAILED, "expected one of"),
        ([["__none__"], ["a"]], ["a"], PASSED, "called"),
        ([[]], [], PASSED, "no tool was called"),
        ([["__none__", "a"]], [], FAILED, "expected one of"),
        ([["__none__", "a"]], ["a"], FAILED, "expected one of"),
        ([], [], FAILED, "the list is empty"),
        (["a"], ["a"], FAILED, "expected a list of tool names"),
        ("a", ["a"], FAILED, "expected a list of tool sets"),
        ([["a", None]], ["a"], FAILED, "`toolsAcceptable[0][1]` is null"),
    ],
)
async def test_tools_acceptable(
    expected: Json, called: list[str], status: VerdictStatus, reason: str
) -> None:
    verdict = await judge_one({"toolsAcceptable": expected}, "x", *calls(*called))
    assert verdict.status is status
    assert verdict.reason.startswith("toolsAcceptable: ")
    assert reason in verdict.reason


async def test_sets_instead_of_multisets_are_an_option() -> None:
    config = ContractConfig(multiset_tools=False)
    expect: dict[str, Json] = {"toolsAcceptable": [["a", "b"]]}
    verdict = await judge_one(expect, "x", *calls("b", "a", "b"), config=config)
    assert verdict.status is PASSED


@given(NAMES, NAMES)
async def test_a_set_is_accepted_exactly_when_each_tool_is_called_as_often(
    expected: list[str], called: list[str]
) -> None:
    verdict = await judge_one({"toolsAcceptable": [expected]}, "x", *calls(*called))
    assert (verdict.status is PASSED) is (Counter(expected) == Counter(called))


@pytest.mark.parametrize("value", ["a", ["a"], []])
def test_what_names_no_set_wants_no_calls_in_the_diff_either(value: Json) -> None:
    diff = diff_expected(make_case({"toolsAcceptable": value}), calls("a"))
    assert [row.state for row in diff.calls] == [CallState.CALLED]
