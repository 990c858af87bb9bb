"""A short day of saves leaves nothing behind; the long one is `benchmarks/soak.py`."""

import sys

import pytest

from benchmarks.soak import leaks, soak

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(sys.platform != "linux", reason="counts what /proc tells"),
]


async def test_150_saves_leave_nothing_behind() -> None:
    early, late, done = await soak(150, 40, 240)
    assert done == 150
    assert not leaks(early, late), f"\n{early}\n{late}"
