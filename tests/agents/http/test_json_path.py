"""Dot paths: keys, indexes, every element."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.agents.http.json_path import MISSING, first_at, parse_path, values_at
from evaltui.core.errors import UserError

VALUE: Any = {
    "a": {"b": [{"c": 1}, {"d": 2}, {"c": [3, 4]}]},
    "n": None,
    "l": [{"c": None}, {"c": [5]}],
}


@pytest.mark.parametrize(
    ("path", "first", "every"),
    [
        ("a.b[0].c", 1, 1),
        ("a.b[].c", 1, [1, [3, 4]]),
        ("a.b[].c[]", 1, [1, 3, 4]),
        ("l[].c[]", 5, [5]),
        ("a.b[2].c[1]", 4, 4),
        ("a.b[].x", MISSING, []),
        ("a.x[].c", MISSING, MISSING),
        ("a.b[9]", MISSING, MISSING),
        ("n", None, None),
        ("n.x", MISSING, MISSING),
        ("a.b.c", MISSING, MISSING),
    ],
)
def test_what_stands_at_a_path(path: str, first: Any, every: Any) -> None:
    assert first_at(VALUE, parse_path(path)) == first
    assert values_at(VALUE, parse_path(path)) == every


def test_the_value_itself() -> None:
    assert first_at(VALUE, parse_path("$")) is VALUE


@pytest.mark.parametrize("path", [".", "a..b", "a[", "a[x]", "a]b", "a[0]b", ".a"])
def test_what_is_no_path(path: str) -> None:
    with pytest.raises(UserError, match=r"response\.text"):
        parse_path(path, "response.text")


@given(st.text(max_size=20), st.recursive(st.none() | st.integers(), st.lists, max_leaves=9))
@pytest.mark.slow
def test_never_raises_on_any_value(text: str, value: Any) -> None:
    try:
        path = parse_path(text)
    except UserError:
        return
    first_at(value, path)
    values_at(value, path)
