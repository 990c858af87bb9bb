"""What the assertions of a case make of the actual calls."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.case import Case, CaseKey, ContractCase
from evaltui.core.json_value import Json
from evaltui.core.response import ToolCall
from evaltui.core.verdict import Verdict, VerdictStatus
from evaltui.expectations.call_diff import CallState
from evaltui.expectations.expected_diff import diff_expected
from evaltui.expectations.param_diff import ABSENT, ParamDiff, ParamState

names = st.lists(st.sampled_from(["a", "b", "c"]), max_size=7)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab.", max_size=3),
    lambda children: (
        st.lists(children, max_size=3)
        | st.dictionaries(st.text('ab."[', max_size=3), children, max_size=3)
    ),
    max_leaves=8,
)

calls = st.lists(
    st.builds(
        ToolCall,
        st.sampled_from(["a", "b"]),
        st.dictionaries(st.sampled_from("xyz"), json_values, max_size=2),
    ),
    max_size=5,
)


def case(expect: dict[str, Json], stubs: dict[str, Json] | None = None) -> Case:
    return Case(CaseKey("s", "c"), ContractCase("hi", expect=expect, stubs=stubs))


def called(*tools: str) -> list[ToolCall]:
    return [ToolCall(tool, {}) for tool in tools]


@given(calls, names, st.lists(names, max_size=3), names)
def test_every_actual_call_appears_exactly_once(
    actual: list[ToolCall], wanted: list[str], sets: list[list[str]], banned: list[str]
) -> None:
    for expect in ({"toolsCalled": wanted}, {"toolsAcceptable": sets}, {}):
        diff = diff_expected(case({**expect, "toolsNotCalled": banned}), actual)
        assert [row.actual for row in diff.calls if row.actual] == actual


def test_other_order_is_said_so() -> None:
    diff = diff_expected(case({"toolsCalled": ["a", "b"]}), called("b", "a"))
    assert Counter(row.state for row in diff.calls) == {
        CallState.MATCHED: 1,
        CallState.REORDERED: 1,
    }
    assert diff.notes == ("same tools, other order",)
    assert not diff.is_same


def test_acceptable_sets_ignore_the_order_and_take_the_closest() -> None:
    expect: dict[str, Json] = {"toolsAcceptable": [["x"], ["a", "b"], ["__none__"]]}
    diff = diff_expected(case(expect), called("b", "a"))
    assert {row.state for row in diff.calls} == {CallState.MATCHED}
    assert "3 acceptable sets" in diff.notes[0]
    assert diff_expected(case(expect), []).is_same
    twice = called("a", "b", "b")
    assert not diff_expected(case(expect), twice).is_same
    assert diff_expected(case(expect), twice, multiset=False).is_same


def test_none_means_no_call_at_all() -> None:
    diff = diff_expected(case({"toolsAcceptable": [["__none__"]]}), called("a"))
    assert [row.state for row in diff.calls] == [CallState.UNEXPECTED]


def test_none_in_tools_called_is_the_name_of_a_tool() -> None:
    """As its verdict has it: a case with it always fails, and lint says so."""
    diff = diff_expected(case({"toolsCalled": ["__none__"]}), [])
    assert [row.state for row in diff.calls] == [CallState.MISSING]


def test_forbidden_calls() -> None:
    diff = diff_expected(case({"toolsNotCalled": ["a"]}), called("b", "a"))
    assert [row.state for row in diff.calls] == [CallState.CALLED, CallState.FORBIDDEN]


def test_parameters_are_judged_on_the_first_call_of_the_tool() -> None:
    expect: dict[str, Json] = {
        "toolsCalled": ["w", "w"],
        "toolParams": [
            {"tool": "w", "paramName": "city", "assertion": "equals", "value": "Paris"},
            {"tool": "w", "paramName": "days", "assertion": "equals", "value": "3"},
            {"tool": "w", "paramName": "units", "assertion": "matches", "value": "^c"},
            {"tool": "z", "paramName": "q", "assertion": "exists"},
            "nonsense",
        ],
    }
    actual = [ToolCall("w", {"city": "Pariss", "days": 3.0, "lang": "fr"}), ToolCall("w", {})]
    rows = diff_expected(case(expect), actual).calls
    first = {param.path: param.state for param in rows[0].params}
    assert first == {
        "city": ParamState.CHANGED,
        "days": ParamState.SAME,
        "units": ParamState.MISSING,
        "lang": ParamState.SENT,
    }
    assert rows[1].params == ()
    assert rows[2].state is CallState.NOT_CALLED
    assert rows[2].params[0].state is ParamState.UNCHECKED


def test_the_verdict_decides_where_there_is_one() -> None:
    expect: dict[str, Json] = {
        "toolParams": [
            {"tool": "w", "paramName": "d", "assertion": "equals", "value": "{{seed:day}}"}
        ]
    }
    actual = [ToolCall("w", {"d": "Monday"})]
    verdict = Verdict(
        "toolParams",
        VerdictStatus.FAILED,
        "no",
        "toolParams[0]",
        evidence={"tool": "w", "param": "d", "expected": "Sunday", "actual": "Monday"},
    )
    (param,) = diff_expected(case(expect), actual, [verdict]).calls[0].params
    assert (param.state, param.expected, param.actual) == (ParamState.CHANGED, "Sunday", "Monday")
    (param,) = diff_expected(case(expect), actual).calls[0].params
    assert param.state is ParamState.UNCHECKED


def test_a_stub_that_echoes_a_parameter_is_a_hint_and_no_demand() -> None:
    diff = diff_expected(
        case({"toolsCalled": ["w"]}, {"w": {"city": "Paris", "temperature": 18}}),
        [ToolCall("w", {"city": "Pariss"})],
    )
    (param,) = diff.calls[0].params
    assert (param.state, param.origin, param.expected) == (ParamState.CHANGED, "stub", "Paris")
    assert diff.is_same


def test_a_wanted_call_that_moved_among_others_is_said_so() -> None:
    diff = diff_expected(case({"toolsCalled": ["a", "b", "c"]}), called("b", "a"))
    assert diff.notes == ("some calls moved",)
    assert diff_expected(case({"toolsCalled": ["a"]}), called("a")).notes == ()


def test_of_those_that_choose_calls_the_failed_one_is_shown_or_the_first() -> None:
    expect: dict[str, Json] = {"toolsCalled": ["a"], "toolsAcceptable": [["b"]]}

    def states(*verdicts: Verdict) -> list[tuple[str, CallState]]:
        diff = diff_expected(case(expect), called("a"), verdicts)
        return [(row.name, row.state) for row in diff.calls]

    assert states() == [("a", CallState.MATCHED)]
    failed = Verdict("toolsAcceptable", VerdictStatus.FAILED, "no")
    assert states(failed) == [("b", CallState.MISSING), ("a", CallState.UNEXPECTED)]
    passed = Verdict("toolsAcceptable", VerdictStatus.PASSED, "yes")
    assert states(passed) == [("a", CallState.MATCHED)]


def test_a_forbidden_call_is_one_even_where_it_is_wanted() -> None:
    expect: dict[str, Json] = {"toolsCalled": ["a"], "toolsNotCalled": ["a", "b"]}
    diff = diff_expected(case(expect), called("a"))
    assert [row.state for row in diff.calls] == [CallState.FORBIDDEN]
    missing = diff_expected(case(expect), [])
    assert [row.state for row in missing.calls] == [CallState.MISSING]


def test_what_nothing_is_said_about_is_shown_as_sent() -> None:
    stubs: dict[str, Json] = {"w": {"city": "Paris", "list": [1]}, "v": "text"}
    sent = ToolCall("w", {"city": "Paris", "list": [1, 2], "deep": {"x": None}})
    diff = diff_expected(case({}, stubs), [sent, ToolCall("v", {"a": 1}), ToolCall("u", None)])
    assert [(row.name, row.state, row.note) for row in diff.calls] == [
        ("w", CallState.CALLED, ""),
        ("v", CallState.CALLED, ""),
        ("u", CallState.CALLED, "the agent reported no parameters"),
    ]
    assert diff.calls[0].params == (
        ParamDiff("city", ParamState.SAME, "Paris", "Paris", origin="stub"),
        ParamDiff("list[0]", ParamState.SENT, ABSENT, 1),
        ParamDiff("list[1]", ParamState.SENT, ABSENT, 2),
        ParamDiff("deep.x", ParamState.SENT, ABSENT, None),
    )
    assert diff.calls[1].params == (ParamDiff("a", ParamState.SENT, ABSENT, 1),)
    assert diff.is_same


def test_an_asserted_parameter_is_not_compared_with_the_stub_as_well() -> None:
    entry: Json = {"tool": "w", "paramName": "city", "assertion": "equals", "value": "Rome"}
    diff = diff_expected(
        case({"toolParams": [entry]}, {"w": {"city": "Paris"}}), [ToolCall("w", {"city": "Rome"})]
    )
    (row,) = diff.calls[0].params
    assert (row.origin, row.state) == ("toolParams", ParamState.SAME)


def test_where_repeats_do_not_count_the_order_still_does() -> None:
    """And a call that is missing is none that repeats another."""
    wanted: dict[str, Json] = {"toolsAcceptable": [["a", "b"]]}
    missing = diff_expected(case(wanted), called("a"), multiset=False)
    assert [row.state for row in missing.calls] == [CallState.MATCHED, CallState.MISSING]


def test_where_repeats_count_one_more_call_of_a_wanted_tool_is_one_too_many() -> None:
    for expect in ({"toolsCalled": ["a"]}, {"toolsAcceptable": [["a"]]}):
        rows = diff_expected(case({**expect}), called("a", "a")).calls
        assert [row.state for row in rows] == [CallState.MATCHED, CallState.UNEXPECTED]
    as_set = diff_expected(case({"toolsAcceptable": [["a"]]}), called("a", "a"), multiset=False)
    assert [row.state for row in as_set.calls] == [CallState.MATCHED] * 2
