"""What lint finds, where it points, and what it leaves alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evaltui.core.case import Case, ContractCase, Tier
from evaltui.core.case_body import EvaluatorUse
from evaltui.core.errors import Problem, Severity
from evaltui.core.json_value import Json
from evaltui.core.suite import Suite
from evaltui.expectations import ASSERTIONS
from evaltui.expectations.lint import lint_suite
from tests.expectations.judging import make_case
from tests.expectations.test_contract import JSON_VALUES

GOOD: dict[str, Json] = {"toolsCalled": ["get_weather"], "responseContains": ["{{seed:temp}}"]}


def lint(*cases: Case) -> list[Problem]:
    return lint_suite(Suite("evals/x.json", "t", Tier.LABELED, cases, "f" * 12))


def codes(expect: dict[str, Json] | None, **fields: str) -> dict[str, str]:
    """Key path below `cases[0]` by code."""
    found = lint(make_case(expect, None, **fields))
    assert len({problem.code for problem in found}) == len(found), found
    return {problem.code: problem.key.removeprefix("cases[0].") for problem in found}


@pytest.mark.parametrize("tier", ["golden", "labeled", "regression"])
def test_a_good_case_is_left_alone(tier: str) -> None:
    assert lint(make_case(GOOD, tier=tier)) == []


@pytest.mark.parametrize(
    ("more", "code", "key"),
    [
        ({"toolsAcceptable": [["a"]]}, "both-tools", "expect.toolsAcceptable"),
        ({"toolsNotCalled": []}, "empty-list", "expect.toolsNotCalled"),
        ({"toolsNotCalled": ["__none__"]}, "mixed-none", "expect.toolsNotCalled"),
        ({"responseContains": "Paris"}, "bare-text", "expect.responseContains"),
        ({"responseContains": [22]}, "value-not-text", "expect.responseContains[0]"),
        ({"responseNotContains": [""]}, "empty-text", "expect.responseNotContains[0]"),
        ({"responseContainsAny": ["a", "b"]}, "bare-text", "expect.responseContainsAny"),
        ({"responseContainsAny": [["a"], []]}, "empty-list", "expect.responseContainsAny[1]"),
        ({"responseContains": ["{{env:X}}"]}, "unknown-token", "expect.responseContains[0]"),
        ({"responseContains": ["{{name}}"]}, "unknown-token", "expect.responseContains[0]"),
        ({"responseNotContains": ["{{SEED:x}}"]}, "unknown-token", "expect.responseNotContains[0]"),
        (
            {"responseNotContains": ["{{ seed:x }}"]},
            "token-spaces",
            "expect.responseNotContains[0]",
        ),
        ({"responseMatches": ["{{seed:x}}"]}, "token-not-replaced", "expect.responseMatches[0]"),
        ({"maxTokens": 0}, "zero-limit", "expect.maxTokens"),
        ({"maxLatencyMs": -5}, "zero-limit", "expect.maxLatencyMs"),
        ({"colour": "red"}, "unknown-key", "expect.colour"),
    ],
)
def test_what_works_but_reads_wrong(more: dict[str, Json], code: str, key: str) -> None:
    found = lint(make_case({**GOOD, **more}))
    (problem,) = [problem for problem in found if problem.code == code]
    assert problem.severity is Severity.LINT
    assert problem.key == f"cases[0].{key}"
    assert problem.hint


def test_none_beside_other_tools() -> None:
    assert codes({"toolsAcceptable": [["a"], ["__none__", "b"]]}) == {
        "mixed-none": "expect.toolsAcceptable[1]"
    }


@pytest.mark.parametrize(
    ("more", "code", "key"),
    [
        ({"toolsCalled": "a"}, "invalid-expectation", "expect.toolsCalled"),
        ({"noToolErrors": "yes"}, "invalid-expectation", "expect.noToolErrors"),
        ({"responseContains": [None]}, "invalid-expectation", "expect.responseContains[0]"),
        ({"maxTokens": "9"}, "invalid-expectation", "expect.maxTokens"),
        ({"responseMatches": ["ok", "(?i)x"]}, "invalid-pattern", "expect.responseMatches[1]"),
        ({"responseContain": ["x"]}, "unknown-key", "expect.responseContain"),
    ],
)
def test_what_cannot_be_judged_is_an_error(more: dict[str, Json], code: str, key: str) -> None:
    found = lint(make_case({**GOOD, **more}))
    (problem,) = [problem for problem in found if problem.code == code]
    assert problem.severity is Severity.ERROR
    assert problem.key == f"cases[0].{key}"


def test_an_empty_toolsacceptable_is_an_error() -> None:
    (problem,) = lint(make_case({"toolsAcceptable": []}))
    assert (problem.code, problem.severity) == ("empty-acceptable", Severity.ERROR)


def test_a_near_miss_of_a_key_is_named() -> None:
    (problem,) = lint(make_case({**GOOD, "responsecontains": ["x"]}))
    assert "`responseContains`" in problem.hint


@pytest.mark.parametrize("key", ["TOOLS_CALLED", "tools-called", "toolCalled"])
def test_a_key_that_is_only_spelt_otherwise_checks_nothing_and_fails(key: str) -> None:
    (problem,) = lint(make_case({"responseContains": ["{{seed:temp}}"], key: ["get_weather"]}))
    assert (problem.severity, problem.hint) == (Severity.ERROR, "Did you mean `toolsCalled`?")


@pytest.mark.parametrize(
    ("entry", "code", "key"),
    [
        ({"assertion": "equal", "value": "x"}, "unknown-assertion", "assertion"),
        ({"assertion": "equals"}, "missing-value", "value"),
        ({"assertion": "equals", "value": 5}, "value-not-text", "value"),
        ({"assertion": "oneOf", "value": "metric"}, "bare-text", "value"),
        ({"assertion": "matches", "value": "["}, "invalid-pattern", "value"),
        ({"assertion": "equals", "value": "{{env:X}}"}, "unknown-token", "value"),
    ],
)
def test_parameters(entry: dict[str, Json], code: str, key: str) -> None:
    written: dict[str, Json] = {"tool": "t", "paramName": "city", **entry}
    assert codes({**GOOD, "toolParams": [written]}) == {code: f"expect.toolParams[0].{key}"}


@pytest.mark.parametrize("value", ["{{seed:list}}", ["a", "b"]])
def test_lists_for_oneof_are_left_alone(value: Json) -> None:
    entry: Json = {"tool": "t", "paramName": "p", "assertion": "oneOf", "value": value}
    assert codes({**GOOD, "toolParams": [entry]}) == {}


def test_a_leak_check_for_braces_is_left_alone() -> None:
    assert codes({**GOOD, "responseNotContains": ["{{user}}"]}) == {}


def test_a_value_that_the_prompt_already_says_proves_nothing() -> None:
    expect: dict[str, Json] = {
        "toolsCalled": ["get_weather"],
        "responseContains": ["22", "paris"],
    }
    found = codes(expect, message="How warm is it in Paris?")
    assert found == {"prompt-echo": "expect.responseContains[1]"}


def test_a_group_is_an_echo_when_all_of_it_is() -> None:
    message = "Is it sunny or clear?"
    assert codes({**GOOD, "responseContainsAny": [["sunny", "clear"]]}, message=message) == {
        "prompt-echo": "expect.responseContainsAny[0]"
    }
    assert codes({**GOOD, "responseContainsAny": [["sunny", "cloudy"]]}, message=message) == {}


@pytest.mark.parametrize(
    ("tier", "expect", "is_found"),
    [
        ("golden", {"toolsCalled": ["a"], "noToolErrors": True, "responseNonEmpty": True}, True),
        ("golden", {"toolsCalled": []}, False),
        ("golden", {"toolsAcceptable": [["__none__"]], "responseNonEmpty": True}, False),
        ("labeled", {"toolsCalled": ["a"], "noToolErrors": True}, False),
        ("labeled", {"noToolErrors": True}, True),
        ("labeled", {"responseNonEmpty": True, "maxLatencyMs": 50}, True),
        ("regression", {"responseNotContains": ["x"]}, True),
        ("labeled", {"responseMatches": ["\\d"]}, False),
    ],
)
def test_no_proof_value(tier: str, expect: dict[str, Json], is_found: bool) -> None:
    assert ("no-proof" in codes(expect, tier=tier)) is is_found


@pytest.mark.parametrize("expect", [{}, {"toolsCalled": None}])
def test_nothing_asserted(expect: dict[str, Json]) -> None:
    assert codes(expect) == {"nothing-asserted": "expect"}


def test_what_evaluators_judge_needs_nothing_expected() -> None:
    case = make_case({})
    uses = (EvaluatorUse("response-length", {}),)
    assert lint(replace(case, body=ContractCase("Hello", expect={}, evaluators=uses))) == []


def test_no_expect_at_all_is_an_error() -> None:
    (problem,) = lint(make_case(None))
    assert (problem.severity, problem.key) == (Severity.ERROR, "cases[0].expect")


def test_a_rubric_case_needs_no_expect() -> None:
    assert lint(make_case(None, tier="rubric")) == []


def test_the_same_prompt_twice() -> None:
    first, second = make_case(GOOD, id="a"), make_case(GOOD, id="b", message="How is  it there? ")
    (problem,) = lint(first, make_case(GOOD, id="x", message="Another"), second)
    assert (problem.code, problem.case) == ("duplicate-prompt", "b")
    assert problem.key == "cases[2].input.message"
    assert problem.what == "Case `b`: same prompt as case `a`"
    assert problem.hint == "Ask something else, or merge the two cases."


def test_two_cases_that_ask_nothing_do_not_ask_the_same() -> None:
    assert lint(make_case(GOOD, id="a", message=" "), make_case(GOOD, id="b", message="")) == []


def test_labeled_fields_elsewhere() -> None:
    expect = {**GOOD, "maxTokens": 9}
    assert codes(expect, tier="regression") == {"tier-field": "expect.maxTokens"}
    assert codes(expect, tier="golden") == {"tier-field": "expect.maxTokens"}
    assert codes(expect) == {}


def test_live_data_in_a_regression_case() -> None:
    expect = {**GOOD, "responseContains": ["{{snapshot:now}}"]}
    assert codes(expect, tier="regression") == {
        "snapshot-in-regression": "expect.responseContains[0]"
    }
    assert codes(expect) == {}


def test_a_token_in_the_message_is_not_replaced() -> None:
    assert codes(GOOD, message="Price of {{seed:x}}?") == {"token-not-replaced": "input.message"}


def test_a_problem_points_at_its_case() -> None:
    case = Case(make_case({}).key, ContractCase("m", expect={}), Tier.LABELED, line=42)
    (problem,) = lint(case)
    assert (problem.file, problem.line, problem.case) == ("evals/x.json", 42, "c1")


def test_a_case_that_its_reader_refused_is_not_complained_of_again() -> None:
    assert lint(make_case({"toolsCalled": 1}, invalid="`id` is missing")) == []


@given(
    st.lists(
        st.dictionaries(st.sampled_from([*ASSERTIONS, "x"]), JSON_VALUES, max_size=5), max_size=3
    ),
    st.sampled_from(list(Tier)),
)
def test_whatever_stands_in_expect_is_linted_without_crashing(
    expects: list[dict[str, Json]], tier: Tier
) -> None:
    cases = [make_case(expect, tier=tier) for expect in expects]
    for problem in lint(*cases):
        assert problem.code
        assert problem.hint
        assert problem.key.startswith("cases[")


def test_what_cannot_be_judged_is_not_said_to_be_asserted_all_the_same() -> None:
    found = lint(make_case({"toolParams": {"tool": "get_weather"}}, None, tier="golden"))
    assert len(found) == 1 and found[0].severity is Severity.ERROR


def test_what_is_wrong_with_one_case_stays_told_beside_another() -> None:
    wrong = make_case({**GOOD, "maxTokens": 0}, id="a")
    found = lint(wrong, make_case({**GOOD, "colour": "red"}, id="b", message="Another"))
    assert [(one.case, one.code) for one in found] == [("a", "zero-limit"), ("b", "unknown-key")]
