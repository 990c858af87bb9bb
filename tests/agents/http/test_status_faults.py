"""`Retry-After` as seconds, as a date, and as nonsense."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.agents.http.status_faults import retry_after, status_fault


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("7", 7), (" 1.5 ", 1.5), ("-3", 0), ("", None), ("soon", None), ("inf", None),
     ("nan", None)],
)  # fmt: skip
def test_seconds(value: str, seconds: float | None) -> None:
    assert retry_after(value) == seconds


def test_dates() -> None:
    later = datetime.now(UTC) + timedelta(seconds=90)
    wait = retry_after(format_datetime(later, usegmt=True))
    assert wait is not None and 85 < wait <= 90
    assert retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0


@given(st.text(max_size=40))
@pytest.mark.slow
def test_nonsense_never_raises(value: str) -> None:
    wait = retry_after(value)
    assert wait is None or wait >= 0


@given(st.integers(200, 599), st.binary(max_size=300), st.integers(0, 2))
def test_any_refusal_is_worded_and_only_some_may_be_sent_again(
    status: int, body: bytes, retries: int
) -> None:
    error = status_fault(status, {}, body, retries)
    assert error.what.startswith(f"HTTP {status}")
    assert "\n" not in error.what
    assert error.retryable == (retries > 0 and (status == 429 or status >= 500))
    assert error.throttled == (status == 429)
