"""The plan of a case: its order, its counts, and cases that cannot be judged."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.check import CheckContext
from evaltui.core.json_value import Json
from evaltui.core.response import AgentResponse, ToolCall
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.expectations import ASSERTIONS
from evaltui.expectations.contract import contract_plan
from evaltui.judging.aggregate import aggregate
from evaltui.judging.run_plan import run_plan
from tests.expectations.judging import OK, judge, make_case

EVERYTHING: dict[str, Json] = {
    "maxTokens": 100,
    "maxLatencyMs": 1000,
    "responseMatches": ["22", "deg"],
    "responseNotContains": ["x1", "x2"],
    "responseContainsAny": [["22"], ["Paris", "Rome"]],
    "responseContains": ["22", "Paris", "{{snapshot:a}}"],
    "responseNonEmpty": True,
    "noToolErrors": True,
    "toolParams": [
        {"tool": "get_weather", "paramName": "city", "assertion": "equals", "value": "Paris"},
        {"tool": "other", "paramName": "city", "assertion": "exists"},
    ],
    "toolsNotCalled": ["delete", "drop"],
    "toolsAcceptable": [["get_weather"]],
    "toolsCalled": ["get_weather"],
}


def counted(verdicts: tuple[Verdict, ...]) -> tuple[int, int, tuple[str, ...]]:
    """`assertionsRun`, `assertionsSkipped` and `skippedTokens` (contract A31 to A33)."""
    outcome = aggregate(verdicts)
    return outcome.assertions_run, outcome.assertions_skipped, outcome.skipped_tokens


async def test_everything_in_the_contracts_order_and_counted_one_by_one() -> None:
    verdicts = await judge(EVERYTHING, "22 deg in Paris", OK)
    assert [verdict.label for verdict in verdicts] == [
        "toolsCalled",
        "toolsAcceptable",
        "toolsNotCalled",
        "toolParams[0] get_weather.city equals",
        "toolParams[1] other.city exists",
        "noToolErrors",
        "responseNonEmpty",
        "responseContains[0]",
        "responseContains[1]",
        "responseContains[2]",
        "responseContainsAny[0]",
        "responseContainsAny[1]",
        "responseNotContains[0]",
        "responseNotContains[1]",
        "responseMatches[0]",
        "responseMatches[1]",
        "maxLatencyMs",
        "maxTokens",
    ]
    assert counted(verdicts) == (16, 2, ("{{snapshot:a}}",))


async def test_the_contracts_own_example_runs_four_and_skips_one() -> None:
    """Its second case: run 4, skipped 1, and this very error."""
    expect: dict[str, Json] = {
        "toolsCalled": ["get_forecast"],
        "noToolErrors": True,
        "responseNonEmpty": True,
        "responseContains": ["{{snapshot:prices.current}}", "Tokyo"],
        "responseNotContains": ["fetchedAt"],
    }
    call = ToolCall("get_forecast", {}, success=True)
    verdicts = await judge(expect, "It will rain.", call)
    assert counted(verdicts) == (4, 1, ("{{snapshot:prices.current}}",))
    assert verdicts[-1].reason == "responseContains: expected 'Tokyo' in response but not found"


async def test_tokens_after_the_failure_are_not_counted() -> None:
    expect: dict[str, Json] = {
        "responseContains": ["no", "{{seed:a}}"],
        "responseNotContains": ["{{seed:b}}"],
    }
    assert counted(await judge(expect, "x")) == (1, 0, ())


async def test_unresolved_members_and_negatives_are_listed() -> None:
    expect: dict[str, Json] = {
        "responseContainsAny": [["{{seed:a}}", "x"], ["{{seed:b}}", "{{seed:c}}"]],
        "responseNotContains": ["{{seed:d}}"],
    }
    tokens = ("{{seed:a}}", "{{seed:b}}", "{{seed:c}}", "{{seed:d}}")
    assert counted(await judge(expect, "x")) == (1, 2, tokens)


async def test_both_routing_assertions_run() -> None:
    verdicts = await judge({"toolsAcceptable": [["b"]], "toolsCalled": ["get_weather"]}, "x", OK)
    assert [verdict.check for verdict in verdicts] == ["toolsCalled", "toolsAcceptable"]


async def test_a_case_without_expect_fails_and_an_empty_one_asserts_nothing() -> None:
    (verdict,) = await judge(None)
    assert verdict.status is VerdictStatus.FAILED
    assert "the case has no `expect`" in verdict.reason
    assert await judge({}) == ()


def test_a_rubric_case_has_no_contract_assertions() -> None:
    assert contract_plan(make_case(None, tier="rubric")) == ()


async def test_a_case_marked_invalid_fails_with_that_reason() -> None:
    case = make_case({"toolsCalled": []}, invalid="`input.message` is missing.")
    (verdict,) = await run_plan(contract_plan(case), CheckContext(case, AgentResponse("x")))
    assert verdict.status is VerdictStatus.FAILED
    assert "`input.message` is missing." in verdict.reason


def test_an_unknown_key_asserts_nothing() -> None:
    assert contract_plan(make_case({"responseContain": ["x"]})) == ()


JSON_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["{{seed:a}}", "{{snapshot:b[0]}}", "t", "city", "equals", "exists", "^x"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["tool", "paramName", "assertion", "value", "x"]), inner, max_size=4
        )
    ),
    max_leaves=10,
)


@given(
    st.dictionaries(st.sampled_from(list(ASSERTIONS)), JSON_VALUES, max_size=4),
    st.text(max_size=20),
    JSON_VALUES,
    st.dictionaries(st.text(max_size=3), JSON_VALUES) | st.none(),
)
async def test_whatever_stands_in_expect_is_judged_without_crashing(
    expect: Mapping[str, Json], text: str, seed: Json, params: Mapping[str, Json] | None
) -> None:
    verdicts = await judge(expect, text, ToolCall("t", params), seed=seed)
    for verdict in verdicts:
        assert verdict.status is not VerdictStatus.ERROR, verdict.reason
        assert verdict.reason.startswith(f"{verdict.check}: ")
        assert {"expected", "actual"} <= verdict.evidence.keys()
    run, skipped, _ = counted(verdicts)
    assert run + skipped == len(verdicts)


@pytest.mark.parametrize("key", ASSERTIONS)
async def test_null_is_the_same_as_absent(key: str) -> None:
    assert await judge({key: None}) == ()
