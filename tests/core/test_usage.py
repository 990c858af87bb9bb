"""Tokens and money, of which some may not be known."""

import pytest

from evaltui.core.response import Usage, added_usage, total_usage


@pytest.mark.parametrize(
    ("usage", "total"),
    [
        (Usage(3, 4), 7),
        (Usage(0, 0), 0),
        (Usage(3, 4, told_total=90), 90),
        (Usage(told_total=90), 90),
        (Usage(3), None),
        (Usage(None, 4), None),
        (Usage(cost_usd=5), None),
    ],
)
def test_tokens_that_nobody_told_are_no_zero(usage: Usage, total: int | None) -> None:
    assert usage.total_tokens == total
    assert usage.told_tokens.get("total_tokens") == total


def test_what_is_unknown_of_one_is_unknown_of_both() -> None:
    assert added_usage(Usage(3, 4, 1), Usage(5, None, 2)) == Usage(8, None, 3)
    assert added_usage(Usage(3, 4, told_total=9), Usage(1, 2)) == Usage(4, 6, None, 12)
    assert added_usage(None, Usage(3)) is added_usage(Usage(3), None) is None


def test_nothing_together_says_nothing_of_tokens() -> None:
    assert total_usage((), 0.5) == Usage(cost_usd=0.5)
