"""What is expected is found in any order, and looked for within limits."""

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.verdict import VerdictStatus
from evaltui.traces.judges.expected_output import is_subset
from tests.traces.judges.test_judges import judged, say

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.integers(0, 2),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
    ),
    max_leaves=6,
)


def tried(expected: Any, output: Any) -> bool:
    """The same by trying every order."""
    if isinstance(expected, dict):
        return isinstance(output, dict) and all(
            key in output and tried(value, output[key]) for key, value in expected.items()
        )
    if isinstance(expected, list):
        return isinstance(output, list) and any(
            all(map(tried, expected, order)) for order in permutations(output, len(expected))
        )
    return bool(expected == output)


@given(VALUES, VALUES)
def test_it_is_what_trying_every_order_finds(expected: Any, output: Any) -> None:
    assert is_subset(expected, output) is tried(expected, output)


def test_a_long_list_in_another_order_takes_one_look_at_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("evaltui.traces.judges.expected_output.MOST_STEPS", 10)
    items = [{"a": [number]} for number in range(3_000)]
    assert is_subset(items, items[::-1])


def test_what_cannot_be_told_apart_soon_is_an_error_of_the_judge(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("evaltui.traces.judges.expected_output.MOST_STEPS", 1_000)
    wanted = [{"a": 1} for _ in range(100)]
    answer = [{"a": 1, "b": number} for number in range(100)]
    found = judged("expected_output", say(answer), expected_output=wanted)
    assert (found.status, found.category) == (VerdictStatus.FAILED, "judge_error")
    assert "too many ways" in found.reason
