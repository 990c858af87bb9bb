"""In a few words, what differs in a result: from what is expected, or from the one before."""

from typing import Any

import pytest

from evaltui.core.case import Case, CaseKey, ContractCase
from evaltui.core.response import AgentResponse, ToolCall
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.expectations.result_difference import OTHER_CALLS, difference_of

KEY = CaseKey("evals/a.golden.json", "a-1")
P, F = CaseStatus.PASSED, CaseStatus.FAILED


def result(status: CaseStatus, *calls: ToolCall, failed: str = "") -> CaseResult:
    verdicts = (Verdict(failed, VerdictStatus.FAILED, "why"),) if failed else ()
    return CaseResult(
        KEY, "run", "mine", status, response=AgentResponse("", calls), verdicts=verdicts
    )


def case(**expect: Any) -> Case:
    return Case(KEY, ContractCase("hello", expect=expect))


def call(name: str = "get_weather", **params: Any) -> ToolCall:
    return ToolCall(name, params)


def test_a_failure_is_told_by_what_was_expected() -> None:
    made = case(
        toolParams=[
            {"tool": "get_weather", "paramName": "city", "assertion": "equals", "value": "Paris"}
        ]
    )
    now = result(F, call(city="Pariss"), failed="toolParams")
    before = result(P, call("other"))
    for then in (None, before):
        said = difference_of(now, made, then, multiset=True, arrow="->")
        assert said == 'city "Paris" -> "Pariss"'
    assert (
        difference_of(
            result(F, call("other"), failed="toolsCalled"),
            case(toolsCalled=["get_weather"]),
            before,
            multiset=True,
        )
        == "get_weather → other"
    )


def test_what_did_not_fail_is_told_by_the_calls_before() -> None:
    said = difference_of(
        result(P, call(city="Oslo")), case(), result(P, call(city="Rome")), multiset=True
    )
    assert said == 'city "Rome" → "Oslo"'
    assert difference_of(result(P, call()), case(), None, multiset=True) == OTHER_CALLS
    light = CaseResult(KEY, "run", "mine", P)
    assert difference_of(result(P, call()), case(), light, multiset=True) == OTHER_CALLS


@pytest.mark.parametrize("failed", ["", "maxTokens", "no such check"])
def test_a_failure_that_is_about_no_call_has_no_words(failed: str) -> None:
    now = result(F, call(), failed=failed)
    made = case(toolsCalled=["other"])
    assert difference_of(now, made, result(P), multiset=True) == ""


def test_without_its_calls_nothing_is_said_of_a_result() -> None:
    light = CaseResult(KEY, "run", "mine", P)
    assert difference_of(light, case(), result(P, call()), multiset=True) == ""
