"""Every question that an assertion can be asked is answered, whatever stands in the file."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.json_value import Json
from evaltui.core.response import ToolCall
from evaltui.expectations import ASSERTIONS
from evaltui.expectations.assertion import Written
from evaltui.expectations.contract_config import ContractConfig
from evaltui.expectations.tools_called import ToolsCalled
from tests.expectations.judging import make_case
from tests.expectations.test_contract import JSON_VALUES

CALLS = (ToolCall("t", {"city": "Paris", "n": 1}), ToolCall("u", None), ToolCall("t", {}))
PARAM: dict[str, Json] = {"tool": "t", "paramName": "city", "assertion": "equals", "value": "Rome"}
ONE: dict[str, Json] = {"paramName": "n", "value": 1}
"""As text it is what was sent: it stays a number."""
VALUES = JSON_VALUES | st.lists(
    st.fixed_dictionaries({}, optional={key: JSON_VALUES | st.just(PARAM[key]) for key in PARAM}),
    max_size=3,
)


@given(st.sampled_from(list(ASSERTIONS)), VALUES, st.booleans())
def test_no_value_is_too_odd_to_be_asked_about(key: str, value: Json, multiset: bool) -> None:
    known = ASSERTIONS[key]
    written = Written(value, make_case({known.name: value}), ContractConfig(multiset))
    if value is None:
        return
    tools = known.tools(value)
    assert all(isinstance(name, str) for name in (*tools.wanted, *tools.forbidden))
    assert all(path.startswith(known.name) for path, _ in known.texts(value))
    assert all(
        finding.key.startswith(f"expect.{known.name}") and finding.hint
        for finding in known.doubts(written)
    )
    known.disclosed(value)
    known.wants_no_call(value)
    said = known.differences(written, CALLS, ())
    assert known.is_in_diff or (said.wanted, said.forbidden, said.params) == (None, frozenset(), {})
    known.accepted(value, CALLS)


@pytest.mark.parametrize(
    ("key", "value", "accepted"),
    [
        ("toolsCalled", ["x"], ["t", "u", "t"]),
        ("toolsAcceptable", [["x"]], [["x"], ["t", "u", "t"]]),
        ("toolsAcceptable", [["u", "t", "t"]], [["u", "t", "t"]]),
        ("toolsNotCalled", ["u", "x"], ["x"]),
        ("toolsCalled", [], ["t", "u", "t"]),
        ("toolsAcceptable", "x", [["t", "u", "t"]]),
        ("toolsNotCalled", "u", "u"),
        ("toolParams", [PARAM], [{**PARAM, "value": "Paris"}]),
        ("toolParams", [{**PARAM, "tool": "u"}], [{**PARAM, "tool": "u"}]),
        ("toolParams", [{**PARAM, "tool": "v"}], [{**PARAM, "tool": "v"}]),
        ("toolParams", [{**PARAM, "paramName": "x"}], [{**PARAM, "paramName": "x"}]),
        ("toolParams", [{**PARAM, "paramName": 1}], [{**PARAM, "paramName": 1}]),
        ("toolParams", [{**PARAM, "value": "{{seed:x}}"}], [{**PARAM, "value": "{{seed:x}}"}]),
        ("toolParams", [{**PARAM, "assertion": "contains"}], [{**PARAM, "assertion": "contains"}]),
        ("toolParams", [{**PARAM, "paramName": "n"}], [{**PARAM, "paramName": "n", "value": "1"}]),
        ("toolParams", [{**PARAM, **ONE}], [{**PARAM, **ONE}]),
        ("toolParams", ["x", PARAM], ["x", {**PARAM, "value": "Paris"}]),
        ("toolParams", PARAM, PARAM),
        ("toolParams", [{**PARAM, "paramName": ["city"]}], [{**PARAM, "paramName": ["city"]}]),
        ("responseContains", ["x"], ["x"]),
        ("maxTokens", 3, 3),
    ],
)
def test_what_accepting_the_calls_makes_of_it(key: str, value: Json, accepted: Json) -> None:
    assert ASSERTIONS[key].accepted(value, CALLS) == accepted


def test_an_empty_call_is_accepted_as_no_call() -> None:
    assert ASSERTIONS["toolsCalled"].accepted(["x"], ()) == []
    assert ASSERTIONS["toolsAcceptable"].accepted([["x"]], ()) == [["x"], ["__none__"]]
    assert ASSERTIONS["toolsAcceptable"].accepted([["__none__"]], ()) == [["__none__"]]


@pytest.mark.parametrize("multiset", [False, True])
def test_how_an_assertion_is_read_is_none_of_its_demands(multiset: bool) -> None:
    case = make_case({"toolsCalled": ["t"]})
    (check,) = ToolsCalled.read(Written(["t"], case, ContractConfig(multiset)))
    (same,) = ToolsCalled.read(Written(["t"], case, ContractConfig()))
    (other,) = ToolsCalled.read(Written(["u"], case, ContractConfig()))
    assert isinstance(check, ToolsCalled)
    assert isinstance(same, ToolsCalled)
    assert isinstance(other, ToolsCalled)
    assert list(check.demands()) == list(same.demands())
    assert list(check.demands()) != list(other.demands())


def test_which_assertions_choose_calls_show_in_the_comparison_and_are_meant_for_labeled() -> None:
    def named(what: str) -> set[str]:
        return {name for name, one in ASSERTIONS.items() if getattr(one, what)}

    assert named("chooses_calls") == {"toolsCalled", "toolsAcceptable"}
    assert named("is_in_diff") == named("chooses_calls") | {"toolsNotCalled", "toolParams"}
    assert named("is_for_labeled") == {"responseMatches", "toolParams", "maxTokens"}
    assert named("may_hold_braces") == {"responseNotContains"}
