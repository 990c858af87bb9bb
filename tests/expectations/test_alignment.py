"""Pairing two sequences of names."""

from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from evaltui.expectations.alignment import CELLS_LIMIT, align

names = st.lists(st.sampled_from(["a", "b", "c"]), max_size=7)


def common_length(left: list[str], right: list[str]) -> int:
    """Longest common subsequence by trying every one of them."""
    for size in range(min(len(left), len(right)), 0, -1):
        if {*combinations(left, size)} & {*combinations(right, size)}:
            return size
    return 0


@given(names, names)
def test_every_position_of_both_sides_appears_exactly_once(
    left: list[str], right: list[str]
) -> None:
    pairs = align(left, right)
    assert sorted(p.left for p in pairs if p.left is not None) == list(range(len(left)))
    assert [p.right for p in pairs if p.right is not None] == list(range(len(right)))
    for pair in pairs:
        assert pair.left is None or pair.right is None or left[pair.left] == right[pair.right]


@given(names, names)
def test_as_many_as_possible_are_paired_in_order(left: list[str], right: list[str]) -> None:
    pairs = align(left, right)
    in_order = [p for p in pairs if not p.is_moved and None not in (p.left, p.right)]
    assert len(in_order) == common_length(left, right)
    alone = sum(p.left is None or p.right is None for p in pairs)
    unmatched = (Counter(left) - Counter(right)) + (Counter(right) - Counter(left))
    assert alone == unmatched.total()


def test_very_long_sequences_stay_quick_and_complete() -> None:
    left = [f"t{index % 7}" for index in range(3_000)]
    right = [f"t{index % 5}" for index in range(3_000)]
    assert len(left) * len(right) > CELLS_LIMIT
    pairs = align(left, right)
    assert [p.right for p in pairs if p.right is not None] == list(range(3_000))
    assert sorted(p.left for p in pairs if p.left is not None) == list(range(3_000))
