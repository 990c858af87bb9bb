"""Lengths as JavaScript counts them."""

import pytest

from evaltui.core.utf16 import utf16_length


@pytest.mark.parametrize(
    ("text", "length"), [("", 0), ("Paris", 5), ("é", 1), ("東京", 2), ("😀a", 3), ("\ud83d", 1)]
)
def test_an_emoji_counts_two(text: str, length: int) -> None:
    assert utf16_length(text) == length
