"""Parameters of two calls, nested values by path."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.json_value import Json
from evaltui.expectations.param_diff import (
    ABSENT,
    MAX_DEPTH,
    ParamDiff,
    ParamState,
    compare_params,
    flatten,
    same_json,
)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab.", max_size=3),
    lambda children: (
        st.lists(children, max_size=3)
        | st.dictionaries(st.text('ab."[', max_size=3), children, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.text('ab."[', max_size=3), json_values, max_size=3))
def test_flattened_paths_are_unique_and_compare_equal_to_themselves(
    params: dict[str, Json],
) -> None:
    paths = [path for path, _ in flatten(params)]
    assert len(paths) == len(set(paths))
    assert all(row.state is ParamState.SAME for row in compare_params(params, params, "baseline"))


def test_nested_values_have_paths() -> None:
    params: dict[str, Json] = {
        "filters": {"date": "2024-01-01", "tags": ["x", {"a.b": 1}]},
        "none": {},
    }
    assert dict(flatten(params)) == {
        "filters.date": "2024-01-01",
        "filters.tags[0]": "x",
        'filters.tags[1]["a.b"]': 1,
        "none": {},
    }
    (row,) = compare_params({"a": None}, {}, "baseline")
    assert (row.state, row.actual) == (ParamState.MISSING, ABSENT)


@pytest.mark.parametrize("wrapped", [lambda it: it, lambda it: [it], lambda it: {"a": [it]}])
def test_a_one_is_not_true_at_any_depth(wrapped: Callable[[Json], Json]) -> None:
    (row,) = compare_params({"n": wrapped(1)}, {"n": wrapped(True)}, "stub")
    assert row.state is ParamState.CHANGED


def test_json_equality_tells_true_from_one() -> None:
    assert same_json(18, 18.0)
    assert not same_json(True, 1)
    assert not same_json([1, False], [1, 0])


@pytest.mark.parametrize(
    ("left", "right", "is_same"),
    [
        (True, True, True),
        (True, 1, False),
        (0, False, False),
        (None, None, True),
        ({"a": 1}, {"a": 1.0}, True),
        ({"a": 1}, {"a": True}, False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1}, {"b": 1}, False),
        ([1, 2], (1, 2), True),
        ([1], [1, 2], False),
        ([], {}, False),
        ("1", 1, False),
    ],
)
def test_values_of_json_that_are_the_same(left: Json, right: Json, is_same: bool) -> None:
    assert same_json(left, right) is is_same
    assert same_json(right, left) is is_same


def test_the_expected_ones_come_first_then_what_is_extra() -> None:
    found = compare_params({"b": 1, "a": {"x": 2}}, {"z": 0, "a": {"x": 3}}, "stub")
    assert found == (
        ParamDiff("b", ParamState.MISSING, 1, ABSENT, origin="stub"),
        ParamDiff("a.x", ParamState.CHANGED, 2, 3, origin="stub"),
        ParamDiff("z", ParamState.EXTRA, ABSENT, 0, origin="stub"),
    )
    assert repr(ABSENT) == "ABSENT"


@pytest.mark.parametrize(
    ("key", "path"),
    [
        ("city", "city"),
        ("größe-1", "größe-1"),
        ("a b", '["a b"]'),
        ("a.b", '["a.b"]'),
        ("a[0]", '["a[0]"]'),
        ('q"\\', '["q\\"\\\\"]'),
        ("", '[""]'),
    ],
)
def test_keys_with_other_signs_are_quoted(key: str, path: str) -> None:
    assert [*flatten({key: 1})] == [(path, 1)]
    deeper = path if path.startswith("[") else f".{path}"
    assert [*flatten({"in": {key: 1}})] == [(f"in{deeper}", 1)]


def test_what_is_nested_too_deep_is_compared_whole() -> None:
    deep: Json = 1
    for _ in range(MAX_DEPTH + 1):
        deep = [deep]
    ((path, value),) = flatten({"a": deep})
    assert (path, value) == ("a" + "[0]" * MAX_DEPTH, [1])
    ((path, value),) = flatten({"a": deep[0]})  # type: ignore[index]
    assert (path, value) == ("a" + "[0]" * MAX_DEPTH, 1)
