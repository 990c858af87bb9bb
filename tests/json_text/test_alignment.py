"""What a change of a list is made of."""

import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.json_text.alignment import Stretch, changed_stretches

ITEMS = st.lists(st.integers(0, 3), max_size=8)


def changed(old: list[int], new: list[int]) -> list[Stretch]:
    """Those of the stretches, once all that is beside them was found to be the same."""
    found = changed_stretches(old, new, operator.eq)
    left = [item for at, item in enumerate(old) if not any(at in one.old for one in found)]
    right = [item for at, item in enumerate(new) if not any(at in one.new for one in found)]
    assert left == right
    assert all(one.old or one.new for one in found)
    return found


@given(ITEMS, ITEMS)
def test_what_is_beside_the_stretches_is_the_same_in_both(old: list[int], new: list[int]) -> None:
    changed(old, new)


@given(ITEMS, st.data())
def test_where_items_are_only_taken_out_all_others_stay(
    old: list[int], data: st.DataObject
) -> None:
    new = [item for item in old if data.draw(st.booleans())]
    assert not any(one.new for one in changed(old, new))
    assert not any(one.old for one in changed(new, old))


@pytest.mark.parametrize(
    ("old", "new", "stretches"),
    [
        ("ab", "ab", []),
        ("abc", "axc", [(range(1, 2), range(1, 2))]),
        ("abc", "bcd", [(range(1), range(0)), (range(3, 3), range(2, 3))]),
        ("abc", "xbcy", [(range(1), range(1)), (range(3, 3), range(3, 4))]),
    ],
)
def test_items_in_between_stay(old: str, new: str, stretches: list[tuple[range, range]]) -> None:
    assert changed_stretches(old, new, operator.eq) == stretches


def test_of_a_long_list_those_in_front_and_at_the_end_stay() -> None:
    old = [*range(1000)]
    new = [0, *range(2, 998), 5, 999]
    assert changed(old, new) == [Stretch(range(1, 999), range(1, 998))]
    assert changed(old, [*old, 7]) == [Stretch(range(1000, 1000), range(1000, 1001))]
