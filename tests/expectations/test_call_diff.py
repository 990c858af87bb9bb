"""Calls against those of an earlier run."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.response import ToolCall
from evaltui.expectations.call_diff import CallState, DiffTarget, diff_calls

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
