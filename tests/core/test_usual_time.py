"""What a case takes as a rule: each duration counts half, and can be taken out again."""

from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

from evaltui.core.usual_time import with_new, without_last

MS = st.floats(1, 1e6)


@given(MS, MS)
def test_the_last_duration_can_be_taken_out(usual_ms: float, took_ms: float) -> None:
    assert without_last(with_new(usual_ms, took_ms), took_ms) == approx(usual_ms, abs=1e-6)


@given(MS)
def test_the_first_duration_is_what_it_takes_and_leaves_nothing(took_ms: float) -> None:
    assert with_new(0.0, took_ms) == took_ms
    assert without_last(0.0, took_ms) == 0.0
