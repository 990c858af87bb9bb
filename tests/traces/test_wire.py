"""JSON as suites and packs hold it."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from evaltui.traces.wire import line, pretty

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x7f"), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_the_layout_is_that_of_the_standard_library(value: Any) -> None:
    assert pretty(value) == json.dumps(value, indent=2, sort_keys=True).encode() + b"\n"
    assert line(value) == json.dumps(value, sort_keys=True).encode() + b"\n"


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_read_again_as_they_were(value: float) -> None:
    assert json.loads(pretty(value)) == value


def test_what_is_no_number_is_null() -> None:
    assert pretty([float("nan")]) == b"[\n  null\n]\n"
