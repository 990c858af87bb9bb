"""In a few words, what differs in a result: from what is expected, or from the one before."""

from typing import Any

import pytest

from evaltui.core.case import Case, CaseKey, ContractCase
from evaltui.core.comparison import Effect
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
        said = difference_of(now, made, then, Effect.WORSE, multiset=True, arrow="->")
        assert said == 'city "Paris" -> "Pariss"'
    assert (
        difference_of(
            result(F, call("other"), failed="toolsCalled"),
            case(toolsCalled=["get_weather"]),
            before,
            None,
            multiset=True,
        )
        == "get_weather → other"
    )


def test_other_calls_of_what_passes_are_told_by_those_before() -> None:
    made, now = case(toolsCalled=["get_weather"]), result(P, call(city="Oslo"))
    before = result(P, call(city="Rome"))
    said = difference_of(now, made, before, Effect.CALLS_DIFFER, multiset=True)
    assert said == 'city "Rome" → "Oslo"'


@pytest.mark.parametrize("effect", [None, *Effect])
def test_a_failure_is_told_in_the_same_words_whatever_a_save_did(effect: Effect | None) -> None:
    now = result(F, call("other"), failed="toolsCalled")
    before = result(F, call("cancel_event"))
    said = difference_of(now, case(toolsCalled=["get_weather"]), before, effect, multiset=True)
    assert said == "get_weather → other"


def test_what_is_better_is_told_by_what_it_does_that_it_did_not() -> None:
    def said(*before: ToolCall) -> str:
        now = result(P, call("move_event"))
        return difference_of(now, case(), result(F, *before), Effect.BETTER, multiset=True)

    assert said(call("cancel_event")) == "cancel_event → move_event"
    assert said() == "no call → move_event"
    assert said(call("move_event")) == "", "what is expected changed, not the calls"


@pytest.mark.parametrize("before", [None, CaseResult(KEY, "run", "mine", P)])
def test_where_the_calls_before_are_not_kept_a_failure_is_told_by_what_was_expected(
    before: CaseResult | None,
) -> None:
    def said(of: CaseResult, effect: Effect) -> str:
        return difference_of(of, case(toolsCalled=["get_weather"]), before, effect, multiset=True)

    failed = result(F, call("other"), failed="toolsCalled")
    assert said(failed, Effect.CALLS_DIFFER) == "get_weather → other"
    assert said(result(P, call()), Effect.CALLS_DIFFER) == OTHER_CALLS
    assert said(result(P, call()), Effect.BETTER) == ""


@pytest.mark.parametrize("failed", ["", "maxTokens", "no such check"])
def test_a_failure_that_is_about_no_call_has_no_words(failed: str) -> None:
    now = result(F, call(), failed=failed)
    made = case(toolsCalled=["other"])
    assert difference_of(now, made, result(P), None, multiset=True) == ""


def test_without_its_calls_nothing_is_said_of_a_result() -> None:
    light = CaseResult(KEY, "run", "mine", P)
    assert difference_of(light, case(), result(P, call()), Effect.BETTER, multiset=True) == ""
