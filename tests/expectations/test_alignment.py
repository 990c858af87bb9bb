"""Pairing two sequences of names."""

from collections import Counter
from itertools import combinations

import pytest
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


@pytest.mark.parametrize(
    ("left", "right", "pairs"),
    [
        ("ab", "ba", [(1, 0, False), (0, 1, True)]),
        ("abc", "cab", [(2, 0, True), (0, 1, False), (1, 2, False)]),
        ("aab", "ba", [(1, None, False), (2, 0, False), (0, 1, True)]),
        (
            "abcd",
            "xbyd",
            [
                (0, None, False), (None, 0, False), (1, 1, False),
                (2, None, False), (None, 2, False), (3, 3, False),
            ],
        ),
        ("ab", "", [(0, None, False), (1, None, False)]),
        ("aba", "", [(0, None, False), (1, None, False), (2, None, False)]),
        ("", "a", [(None, 0, False)]),
    ],
)  # fmt: skip
def test_what_is_missing_stands_before_what_came_in_its_place(
    left: str, right: str, pairs: list[tuple[int | None, int | None, bool]]
) -> None:
    assert [tuple(pair) for pair in align(left, right)] == pairs


def test_of_equally_long_orders_the_most_alike_is_taken() -> None:
    liked = {(1, 0): 1}
    pairs = align("aa", "a", lambda left, right: liked.get((left, right), 0))
    assert [tuple(pair) for pair in pairs] == [(0, None, False), (1, 0, False)]
    liked = {(0, 0): 1}
    pairs = align("aa", "a", lambda left, right: liked.get((left, right), 0))
    assert [tuple(pair) for pair in pairs] == [(0, 0, False), (1, None, False)]


def test_more_in_order_counts_before_more_alike() -> None:
    pairs = align("aba", "ab", lambda left, right: 9 * ((left, right) == (2, 0)))
    assert [tuple(pair) for pair in pairs if None not in (pair.left, pair.right)] == [
        (0, 0, False),
        (1, 1, False),
    ]


def test_very_long_sequences_keep_what_is_in_order() -> None:
    names = [str(number) for number in range(600)]
    assert len(names) ** 2 > CELLS_LIMIT
    assert align(names, names) == tuple((at, at, False) for at in range(600))
    moved = align(names, [names[-1], *names[:-1]])
    assert [tuple(pair) for pair in moved][:3] == [(599, 0, True), (0, 1, False), (1, 2, False)]
    assert sum(pair.is_moved for pair in moved) == 1
