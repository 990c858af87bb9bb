"""Parameters of two calls, nested values by path."""

from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.json_value import Json
from evaltui.expectations.param_diff import ABSENT, ParamState, compare_params, flatten, same_json

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


def test_json_equality_tells_true_from_one() -> None:
    assert same_json(18, 18.0)
    assert not same_json(True, 1)
    assert not same_json([1, False], [1, 0])
