"""Numbers that others tell: what is none, or stands for no amount, is not known."""

from math import inf, nan
from typing import Any

import pytest

from evaltui.core.reported_number import LONGEST_MS, amount, finite, milliseconds, tokens, usd


@pytest.mark.parametrize("value", [None, True, "5", [], nan, inf, -inf, 10**400, -(10**400)])
def test_what_is_no_number_that_a_double_holds_is_not_known(value: Any) -> None:
    assert finite(value) is None
    assert amount(value) is None
    assert milliseconds(value) is None


def test_an_amount_is_not_negative_and_a_time_is_not_longer_than_anything_takes() -> None:
    assert (finite(-5), amount(-5), milliseconds(-5)) == (-5.0, None, None)
    assert (finite(0), amount(0), milliseconds(0)) == (0.0, 0.0, 0.0)
    assert (amount(LONGEST_MS), milliseconds(LONGEST_MS)) == (LONGEST_MS, None)
    assert milliseconds(LONGEST_MS - 1) == LONGEST_MS - 1


@pytest.mark.parametrize(
    ("value", "counted"),
    [(5, 5), ("5", 5), (5.9, 5), (0, 0), (-1, None), ("x", None), (1e12, None)],
)
def test_tokens_are_whole_and_no_more_than_any_answer_takes(value: Any, counted: Any) -> None:
    assert tokens(value) == counted


def test_money_may_be_text() -> None:
    assert [usd(each) for each in ("0.3", 2, "-1", "nan", "", None)] == [0.3, 2, *[None] * 4]
