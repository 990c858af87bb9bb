"""A few moments of `benchmarks/killed_runs.py`, which has the long series."""

import signal
import sys
from pathlib import Path

import pytest

from benchmarks.killed_runs import KILL, Moment, Series

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc"),
]
TWICE = (signal.SIGINT, signal.SIGINT)


def test_nothing_is_lost_or_left_at_any_moment(tmp_path: Path) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    series = Series(tmp_path)
    for number, (what, signals, is_program) in enumerate(
        [
            ("run", KILL, False),
            ("resume", KILL, False),
            ("dashboard", KILL, False),
            ("run", TWICE, False),
            ("dashboard", TWICE, False),
            ("run", KILL, True),
            ("dashboard", KILL, True),
        ]
    ):
        series.try_one(Moment(number, what, signals, 0.0, 20, 0.002, is_program))
    assert series.findings == []
    assert series.midway["run"] == 3
