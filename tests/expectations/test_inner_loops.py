"""A repetition in a repetition is found, or not, within the limit."""

import pytest

from evaltui.expectations.inner_loops import tamed
from evaltui.expectations.pattern import find_pattern, validate_pattern


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("^(?:(?:a*)*b?)*$", "aab!", False),
        ("^(?:(?:a*)*b?)*$", "aabab", True),
        (r"^(?:(?:\w*\.?)+)*@", "ab.cd.ef", False),
        (r"^(?:(?:\d{0,3})+,?)*$", "123,x", False),
        ("^(?:(?:a*)?b?)*$", "aab!", False),
        ("^(?:(?:a*){0,1}b?)*$", "aab", True),
        ("^(?:(?:(?:a?)*)*)*$", "aab", False),
        ("^(?:(?!a)?b)+$", "bb", True),
        (r"^(?:(a)?b\1)+$", "abaaba", True),
    ],
)
async def test_it_comes_to_an_end(pattern: str, text: str, found: bool) -> None:
    assert await find_pattern(pattern, text) is found


@pytest.mark.parametrize(
    "pattern", ["((a)?+)*", "((?<=a)?)*", "((?<!a)*)*", "((a)*)**", "((a){2,1})*", "((a)*"]
)
def test_what_is_no_pattern_stays_none(pattern: str) -> None:
    assert validate_pattern(pattern) is not None


@pytest.mark.parametrize(
    "pattern", ["(a)*(b)?", r"((a)*\2)*", r"([)]*(a))*", r"(\(a*\))*", "((a*))+"]
)
def test_a_pattern_without_such_stays_as_it_is(pattern: str) -> None:
    assert tamed(pattern) == pattern
