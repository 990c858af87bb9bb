"""Tools that a case talks about."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.case import Case, CaseKey, ContractCase
from evaltui.core.expected import Expected
from evaltui.core.response import AgentResponse, ToolCall
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.expectations.mentions import (
    expected_of,
    forbidden_tools,
    main_tool,
    mentioned_tools,
    needs_snapshot,
    seed_paths,
    tools_at_issue,
    wanted_tools,
)
from tests.expectations.judging import OK, judge, make_case


def mentioned(expect: Any, stubs: Any = None) -> set[str]:
    return set(
        mentioned_tools(
            Case(CaseKey("s", "a"), ContractCase("m", expect=expect, stubs=stubs), description="")
        )
    )


def test_every_place_where_a_tool_is_named() -> None:
    expect = {
        "toolsCalled": ["a"],
        "toolsAcceptable": [["b", "c"], ["__none__"]],
        "toolsNotCalled": ["d"],
        "toolParams": [{"tool": "e", "paramName": "x"}],
        "responseContains": ["no tool"],
    }
    assert mentioned(expect, {"f": {}}) == {"a", "b", "c", "d", "e", "f"}


def test_nothing_is_mentioned() -> None:
    assert (
        mentioned(None) == mentioned({}) == mentioned({"toolsAcceptable": [["__none__"]]}) == set()
    )


@given(
    st.dictionaries(
        st.sampled_from(["toolsCalled", "toolsAcceptable", "toolsNotCalled", "toolParams"]),
        st.recursive(
            st.none() | st.integers() | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.just("tool"), inner),
        ),
    )
)
def test_wrong_types_are_survived(expect: Any) -> None:
    assert all(isinstance(name, str) for name in mentioned(expect))


def test_seed_paths_come_from_the_places_where_tokens_count() -> None:
    expect: Any = {
        "toolsCalled": ["{{seed:called}}"],
        "responseMatches": ["{{seed:matches}}"],
        "responseContains": ["{{seed:b}}", "{{seed:a}} {{snapshot:s}}", 5],
        "responseContainsAny": [["{{seed:group}}"]],
        "responseNotContains": "{{seed:bare}}",
        "toolParams": [
            {"tool": "{{seed:tool}}", "value": ["{{seed:one}}", "{{seed:two}}"]},
            "nonsense",
            {"value": "{{seed:a}}"},
        ],
    }
    case = Case(CaseKey("s", "c"), ContractCase("{{seed:message}}", expect=expect))
    assert seed_paths(case) == ("a", "b", "bare", "group", "one", "two")


def expected_by(expect: Any) -> Expected:
    return expected_of(Case(CaseKey("s", "c"), ContractCase("m", expect=expect)))


def test_what_an_agent_may_know_before_it_answers() -> None:
    expect = {
        "toolsCalled": ["look", "look"],
        "toolsNotCalled": ["buy"],
        "responseContains": ["72F"],
        "toolParams": [
            {"tool": "look", "paramName": "unit", "assertion": "equals", "value": "F"},
            {"tool": "look", "paramName": "raw", "assertion": "notExists"},
            {"tool": "gone", "paramName": "x", "assertion": "exists"},
            "nonsense",
        ],
    }
    assert expected_by(expect) == Expected(
        ("look",),
        ("buy",),
        required_params={"look": ("unit",), "gone": ("x",)},
        forbidden_params={"look": ("raw",)},
        output="72F",
    )
    assert expected_by({"toolsCalled": ["__none__"]}) == Expected(forbids_all_tools=True)
    assert expected_by(None) == expected_by({}) == Expected()


@pytest.mark.parametrize(
    ("contains", "expected"),
    [
        ("72F", "72F"),
        (["a", "b"], None),
        (None, None),
        ([], None),
        ([7], None),
        (["{{seed:a.b}}"], None),
    ],
)
def test_the_one_text_that_is_expected(contains: Any, expected: str | None) -> None:
    assert expected_by({"responseContains": contains}).output == expected


async def at_issue(expect: Any, *calls: ToolCall) -> tuple[str, ...]:
    """Of a case that was judged on these calls."""
    verdicts = await judge(expect, "It rains.", *calls)
    result = CaseResult(
        CaseKey("s", "a"),
        "run",
        "agent",
        CaseStatus.FAILED,
        verdicts=verdicts,
        response=AgentResponse("It rains.", calls),
    )
    return tools_at_issue(make_case(expect), result)


@pytest.mark.parametrize(
    ("expect", "tools"),
    [
        ({"toolsCalled": ["find_order"]}, ("find_order",)),
        ({"toolsAcceptable": [["a"], ["b", "a"]]}, ("a", "b")),
        ({"toolsNotCalled": ["x", "get_weather"]}, ("get_weather",)),
        (
            {
                "toolsCalled": ["get_weather"],
                "toolParams": [
                    {"tool": "other", "paramName": "x", "assertion": "exists"},
                    {"tool": "get_weather", "paramName": "day", "assertion": "exists"},
                ],
            },
            ("get_weather",),
        ),
        (
            {
                "toolsAcceptable": [["get_weather"], ["a"]],
                "toolParams": [{"tool": "get_weather", "paramName": "day", "assertion": "exists"}],
            },
            ("get_weather",),
        ),
        ({"toolsAcceptable": [["get_weather"]], "responseContains": ["sun"]}, ("get_weather",)),
        ({"responseContains": ["sun"]}, ("get_weather",)),
    ],
)
async def test_the_tools_a_failure_is_about(expect: Any, tools: tuple[str, ...]) -> None:
    assert await at_issue(expect, OK) == tools


def test_what_never_ran_is_about_what_is_expected() -> None:
    case = make_case({"toolsCalled": ["b", "a", "b"]})
    assert tools_at_issue(case, None) == ("b", "a")
    assert tools_at_issue(make_case({}), None) == ()


def test_live_values_count_where_tokens_do() -> None:
    for expect, is_needed in (
        ({"responseContains": ["{{snapshot:s}}"]}, True),
        ({"toolParams": [{"tool": "t", "value": "x {{snapshot:s}}"}]}, True),
        ({"responseContains": ["{{seed:s}}"]}, False),
        ({"responseMatches": ["{{snapshot:s}}"]}, False),
        ({}, False),
    ):
        assert needs_snapshot(make_case(expect)) is is_needed


def test_wanted_and_forbidden_tools_are_kept_apart() -> None:
    expect: Any = {
        "toolsCalled": ["a", "a"],
        "toolsNotCalled": ["b", "c"],
        "toolParams": [{"tool": "d"}],
        "responseContains": None,
        "nonsense": ["e"],
    }
    case = make_case(expect, {"f": 1})
    assert wanted_tools(case) == {"a", "d", "f"}
    assert forbidden_tools(case) == {"b", "c"}
    assert not wanted_tools(make_case({}))
    assert not forbidden_tools(make_case(None))


def test_one_text_of_each_of_two_assertions_is_no_one_text() -> None:
    both = {"responseContains": ["a"], "toolsCalled": ["t"]}
    assert expected_by(both).output == "a"
    assert expected_by({"toolsAcceptable": [["t"]]}) == Expected()
    twice = [{"tool": "t", "paramName": "p", "assertion": "exists"}] * 2
    assert expected_by({"toolParams": twice}).required_params == {"t": ("p",)}


@pytest.mark.parametrize(
    ("expect", "tool"),
    [
        ({"toolsCalled": ["b", "mine"]}, "mine"),
        ({"toolsCalled": ["b", "c"]}, "b"),
        ({"toolsCalled": ["c"]}, "c"),
        ({"toolsNotCalled": ["b"]}, "mine"),
        ({}, "mine"),
    ],
)
def test_a_case_is_about_the_tool_of_its_suite_or_the_first_that_is_wanted(
    expect: Any, tool: str
) -> None:
    assert main_tool(make_case(expect), "mine") == tool
