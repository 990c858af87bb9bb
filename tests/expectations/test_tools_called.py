"""Exactly these calls, in this order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.json_value import Json
from evaltui.core.verdict import VerdictStatus
from evaltui.expectations.tools_called import ToolsCalled
from tests.expectations.judging import calls, judge_one

PASSED, FAILED = VerdictStatus.PASSED, VerdictStatus.FAILED

NAMES = st.lists(st.sampled_from("abc"), max_size=5)


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


@given(NAMES, NAMES)
async def test_order_matters_to_tools_called(expected: list[str], called: list[str]) -> None:
    verdict = await judge_one({"toolsCalled": expected}, "x", *calls(*called))
    assert (verdict.status is PASSED) is (expected == called)
    same = sorted(expected) == sorted(called) and expected != called
    assert ("same tools, other order" in verdict.reason) is same


def test_texts_that_tokens_may_stand_in_are_those_of_the_list() -> None:
    found = list(ToolsCalled.texts(["a", "{{seed:b}}"]))
    assert found == [("toolsCalled[0]", "a"), ("toolsCalled[1]", "{{seed:b}}")]
