"""Arguments as models write them: JSON or not, object or not, never a crash."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.agents.models.reply_draft import read_arguments

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.text() | JSON)
def test_gives_params_or_an_error(source: Any) -> None:
    params, error = read_arguments(source)
    assert (params is None) == bool(error)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), JSON, max_size=4))
def test_an_object_comes_through(value: dict[str, Any]) -> None:
    expected = json.loads(json.dumps(value).encode("utf-8", "replace"))
    assert read_arguments(json.dumps(value)) == (expected, "")
    assert read_arguments(json.dumps(json.dumps(value))) == (expected, "")


@pytest.mark.parametrize("source", ["", "  ", None, "null"])
def test_nothing_means_no_arguments(source: Any) -> None:
    assert read_arguments(source) == ({}, "")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ('{"a": ', "not JSON"),
        ("{'a': 1}", "not JSON"),
        ('{"a": NaN}', "NaN"),
        ("[1]", "not an object"),
        ("5", "not an object"),
        ('"x"', "not an object"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": 1e999}', "too large"),
        ("x" * 5000, "…"),
    ],
)
def test_what_is_wrong(source: str, words: str) -> None:
    params, error = read_arguments(source)
    assert params is None
    assert words in error
    assert len(error) < 400


def test_half_characters_can_be_written() -> None:
    params, _ = read_arguments('{"a\\ud83d": "\\ude00"}')
    assert params == {"a\ufffd": "\ufffd"}
