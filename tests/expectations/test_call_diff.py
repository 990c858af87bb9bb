"""Calls against those of an earlier run."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.response import ToolCall
from evaltui.expectations.call_diff import (
    CallDiff,
    CallState,
    CaseDiff,
    DiffTarget,
    diff_calls,
    is_difference,
)
from evaltui.expectations.param_diff import ABSENT, ParamDiff, ParamState

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


@given(calls, calls)
def test_swapping_the_sides_swaps_missing_and_unexpected(
    left: list[ToolCall], right: list[ToolCall]
) -> None:
    there = Counter(row.state for row in diff_calls(left, right, DiffTarget.BASELINE).calls)
    back = Counter(row.state for row in diff_calls(right, left, DiffTarget.BASELINE).calls)
    assert there[CallState.MISSING] == back[CallState.UNEXPECTED]
    assert there[CallState.UNEXPECTED] == back[CallState.MISSING]
    assert there[CallState.MATCHED] == back[CallState.MATCHED]
    assert there[CallState.REORDERED] == back[CallState.REORDERED]


@given(calls)
def test_calls_are_the_same_as_themselves(some: list[ToolCall]) -> None:
    diff = diff_calls(some, some, DiffTarget.PREVIOUS)
    assert diff.is_same
    assert [row.actual for row in diff.calls] == some


def test_baseline_calls_pair_with_the_most_alike() -> None:
    before = [ToolCall("w", {"city": "Paris"}), ToolCall("w", {"city": "Rome"})]
    now = [ToolCall("w", {"city": "Rome"})]
    rows = diff_calls(before, now, DiffTarget.BASELINE).calls
    assert [(row.state, row.expected_at) for row in rows] == [
        (CallState.MISSING, 0),
        (CallState.MATCHED, 1),
    ]


def test_a_row_says_where_it_stood_what_differs_and_what_is_not_known() -> None:
    before = [ToolCall("a", {"x": 1}), ToolCall("b", None), ToolCall("c", {"y": 2, "w": [1]})]
    now = [ToolCall("c", {"y": 3, "w": [1]}), ToolCall("a", None), ToolCall("d", {"z": 1})]
    diff = diff_calls(before, now, DiffTarget.AGENT, "mini")
    assert (diff.target, diff.against, diff.notes) == (DiffTarget.AGENT, "mini", ())
    assert not diff.is_same
    changed = (
        ParamDiff("y", ParamState.CHANGED, 2, 3, origin="agent"),
        ParamDiff("w[0]", ParamState.SAME, 1, 1, origin="agent"),
    )
    extra = (ParamDiff("z", ParamState.EXTRA, ABSENT, 1, origin="agent"),)
    assert diff.calls == (
        CallDiff("b", CallState.MISSING, 1, None),
        CallDiff("c", CallState.MATCHED, 2, 0, now[0], changed),
        CallDiff("a", CallState.REORDERED, 0, 1, now[1], (), "the agent reported no parameters"),
        CallDiff("d", CallState.UNEXPECTED, None, 2, now[2], extra),
    )
    gone = diff_calls(before[:1], [], DiffTarget.BASELINE)
    missing = (ParamDiff("x", ParamState.MISSING, 1, ABSENT, origin="baseline"),)
    assert gone.calls == (CallDiff("a", CallState.MISSING, 0, None, None, missing),)
    assert gone.against == ""


def test_parameters_that_were_not_reported_are_not_compared() -> None:
    (row,) = diff_calls([ToolCall("a", None)], [ToolCall("a", {"x": 1})], DiffTarget.BASELINE).calls
    assert (row.state, row.params, row.note) == (CallState.MATCHED, (), "")


def test_another_parameter_is_a_difference_and_what_a_stub_echoes_is_none() -> None:
    for state in ParamState:
        differs = state in (ParamState.CHANGED, ParamState.MISSING, ParamState.EXTRA)
        assert is_difference(ParamDiff("x", state)) is differs
        assert not is_difference(ParamDiff("x", state, origin="stub"))
        row = CallDiff("a", CallState.MATCHED, params=(ParamDiff("x", state),))
        assert CaseDiff(DiffTarget.EXPECTED, (row,)).is_same is not differs
    assert {state for state in CallState if state.is_difference} == {
        CallState.REORDERED,
        CallState.MISSING,
        CallState.UNEXPECTED,
        CallState.FORBIDDEN,
    }


def test_one_key_goes_round_through_what_a_single_agent_has() -> None:
    order = [DiffTarget.EXPECTED]
    for _ in range(3):
        order.append(order[-1].next())
    assert order == [
        DiffTarget.EXPECTED, DiffTarget.BASELINE, DiffTarget.PREVIOUS, DiffTarget.EXPECTED,
    ]  # fmt: skip
    assert DiffTarget.AGENT.next() is DiffTarget.EXPECTED
