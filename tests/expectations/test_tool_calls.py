"""Which tools were called."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.json_value import Json
from evaltui.core.verdict import VerdictStatus
from evaltui.expectations.contract_config import ContractConfig
from tests.expectations.judging import calls, judge_one

PASSED, FAILED = VerdictStatus.PASSED, VerdictStatus.FAILED


@pytest.mark.parametrize(
    ("expected", "called", "status", "reason"),
    [
        (["a", "b"], ["a", "b"], PASSED, 'called ["a","b"]'),
        (["a", "b"], ["b", "a"], FAILED, "same tools, other order"),
        (["a"], ["a", "a"], FAILED, "another number of times"),
        (["a"], ["b"], FAILED, 'expected ["a"] but got ["b"]'),
        ([], [], PASSED, "no tool was called"),
        ([], ["a"], FAILED, 'expected [] but got ["a"]'),
        (["a"], [], FAILED, 'expected ["a"] but got []'),
        (["__none__"], [], FAILED, "__none__"),
        ("a", ["a"], FAILED, "expected a list of tool names"),
        (["a", 5], ["a"], FAILED, "`toolsCalled[1]` is a number"),
        ({"a": 1}, ["a"], FAILED, "is an object"),
        (False, [], FAILED, "is false"),
    ],
)
async def test_tools_called(
    expected: Json, called: list[str], status: VerdictStatus, reason: str
) -> None:
    verdict = await judge_one({"toolsCalled": expected}, "x", *calls(*called))
    assert verdict.status is status
    assert verdict.reason.startswith("toolsCalled: ")
    assert reason in verdict.reason
    assert {"expected", "actual"} <= verdict.evidence.keys()


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


@pytest.mark.parametrize(
    ("forbidden", "status"),
    [(["c"], PASSED), ([], PASSED), (["c", "b"], FAILED), ("b", FAILED), ([None], FAILED)],
)
async def test_tools_not_called(forbidden: Json, status: VerdictStatus) -> None:
    verdict = await judge_one({"toolsNotCalled": forbidden}, "x", *calls("a", "b"))
    assert verdict.status is status
    assert verdict.reason.startswith("toolsNotCalled: ")


NAMES = st.lists(st.sampled_from("abc"), max_size=5)


@given(NAMES, NAMES)
async def test_a_set_is_accepted_exactly_when_each_tool_is_called_as_often(
    expected: list[str], called: list[str]
) -> None:
    verdict = await judge_one({"toolsAcceptable": [expected]}, "x", *calls(*called))
    assert (verdict.status is PASSED) is (Counter(expected) == Counter(called))


@given(NAMES, NAMES)
async def test_order_matters_to_tools_called(expected: list[str], called: list[str]) -> None:
    verdict = await judge_one({"toolsCalled": expected}, "x", *calls(*called))
    assert (verdict.status is PASSED) is (expected == called)
    same = sorted(expected) == sorted(called) and expected != called
    assert ("same tools, other order" in verdict.reason) is same
