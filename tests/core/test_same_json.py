"""Which JSON values count as the same."""

from itertools import combinations

import pytest

from evaltui.core.json_value import Json
from evaltui.core.same_json import canonical


def test_the_order_of_keys_says_nothing_and_that_of_items_does() -> None:
    assert canonical({"a": 1, "b": {"c": 2, "d": 3}}) == canonical({"b": {"d": 3, "c": 2}, "a": 1})
    assert canonical([1, 2]) != canonical([2, 1])


@pytest.mark.parametrize(("one", "other"), [*combinations((True, 1, 1.0, "1", None), 2)])
def test_what_a_file_tells_apart_is_not_the_same(one: Json, other: Json) -> None:
    assert canonical(one) != canonical(other)
    assert canonical([one]) != canonical([other])
