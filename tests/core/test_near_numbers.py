"""What a tolerance admits."""

from fractions import Fraction
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.near_numbers import is_near

TENTHS = st.integers(-(10**9), 10**9)


@given(TENTHS, st.integers(0, 10**9))
def test_what_is_written_in_decimals_is_near_up_to_its_tolerance(tenths: int, off: int) -> None:
    value, wanted, tolerance = (tenths + off) / 10, tenths / 10, off / 10
    assert is_near(value, wanted, tolerance)
    assert is_near(wanted, value, tolerance)
    assert not is_near((tenths + off + 1) / 10, wanted, tolerance)


@given(st.integers(), st.integers(), st.integers(0))
def test_integers_are_exact_however_large(value: int, wanted: int, tolerance: int) -> None:
    assert is_near(value, wanted, tolerance) == (abs(value - wanted) <= tolerance)


@pytest.mark.parametrize("value", [inf, -inf, nan])
def test_what_is_not_finite_is_near_nothing(value: float) -> None:
    assert not is_near(value, 1, 1e308)


def test_a_product_beyond_doubles_may_be_a_tolerance() -> None:
    assert is_near(1e308, 1.0, Fraction(1e300) * Fraction(1e300))
    assert not is_near(2**60 + 1, 2**60, 0.5)
