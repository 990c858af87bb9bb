"""JSON as suites and packs hold it."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.inert_text import first_acting
from evaltui.traces.wire import line, pretty

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_the_layout_is_that_of_the_standard_library(value: Any) -> None:
    assert pretty(value) == _inert(json.dumps(value, indent=2, sort_keys=True)) + b"\n"
    assert line(value) == _inert(json.dumps(value, sort_keys=True)) + b"\n"


def _inert(text: str) -> bytes:
    return text.replace("\x7f", "\\u007f").encode()


@pytest.mark.parametrize("layout", [pretty, line])
def test_what_acts_on_a_terminal_is_an_escape(layout: Callable[[Any], bytes]) -> None:
    acting = "".join(filter(first_acting, map(chr, range(0xD800)))) + "\U000e0041"
    written = layout({acting: [acting]})
    assert first_acting(written.decode().strip()) == ""
    assert json.loads(written) == {acting: [acting]}


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_read_again_as_they_were(value: float) -> None:
    assert json.loads(pretty(value)) == value


def test_what_is_no_number_is_null() -> None:
    assert pretty([float("nan")]) == b"[\n  null\n]\n"
