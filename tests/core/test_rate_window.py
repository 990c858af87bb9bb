"""Requests a minute: never more than was allowed."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from evaltui.core.rate_window import RateWindow


@given(
    per_minute=st.one_of(st.integers(1, 50), st.floats(0.1, 0.9)),
    gaps=st.lists(st.floats(0, 20), max_size=100),
)
def test_never_more_than_allowed_in_any_minute(per_minute: float, gaps: list[float]) -> None:
    window, now, starts = RateWindow(per_minute), 0.0, []
    for gap in gaps:
        now += gap
        now += window.wait_s(now)
        assert window.wait_s(now) <= 1e-6
        window.count(now)
        starts.append(now)
    if per_minute >= 1:
        for start in starts:
            assert sum(start <= other < start + 59.999 for other in starts) <= per_minute
    else:
        for sooner, later in pairwise(starts):
            assert later - sooner >= 60 / per_minute - 1e-6


@given(
    per_minute=st.integers(1, 20),
    gaps=st.lists(st.tuples(st.floats(0, 5), st.floats(0, 2.9)), min_size=60, max_size=100),
)
def test_nor_as_the_server_counts_them_when_they_arrive(
    per_minute: int, gaps: list[tuple[float, float]]
) -> None:
    window, now, arrived = RateWindow(per_minute), 0.0, []
    for gap, on_the_way in gaps:
        now += gap
        now += window.wait_s(now)
        window.count(now)
        arrived.append(now + on_the_way)
    for start in arrived:
        assert sum(start <= other < start + 60 for other in arrived) <= per_minute


def test_no_limit_never_waits() -> None:
    window = RateWindow()
    for _ in range(100):
        window.count(0.0)
    assert window.wait_s(0.0) == 0.0
