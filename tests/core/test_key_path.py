"""Key paths both ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.key_path import KeyPath, format_key, parse_key


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (("cases", 3, "expect", "toolsCalled"), "cases[3].expect.toolsCalled"),
        ((0, "a b"), '[0]["a b"]'),
        (("é", 'x"\\'), '["é"]["x\\"\\\\"]'),
        ((), ""),
    ],
)
def test_examples(path: KeyPath, text: str) -> None:
    assert format_key(path) == text
    assert parse_key(text) == path


@given(st.lists(st.integers(0, 10**6) | st.text()))
def test_there_and_back(path: list[str | int]) -> None:
    assert parse_key(format_key(tuple(path))) == tuple(path)


@given(st.text())
def test_any_text_is_some_path(text: str) -> None:
    assert isinstance(parse_key(text), tuple)


def test_what_cannot_be_read_is_one_plain_key() -> None:
    assert parse_key("a[x") == ("a", "[x")
