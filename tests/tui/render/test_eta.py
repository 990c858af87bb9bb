"""What the header says of the time that a run still takes."""

import pytest

from evaltui.core.events import RunEnd
from evaltui.store.run_view import RunView
from evaltui.tui.render.header_line import eta


def run(done: int, total: int, *, history_s: float | None, concurrency: int = 1) -> RunView:
    return RunView("r", 1, "", (), total, concurrency, 1, 1000.0, history_s, done)


@pytest.mark.parametrize(
    ("done", "took", "history_s", "said"),
    [
        (0, 1, 15.0, "eta 14s"),
        (1, 3, 1.0, "eta 12s"),  # the history was of a quicker agent
        (2, 7, 0.1, "eta 10s"),
        (4, 12, 60.0, "eta 48s"),  # the last one is known to be long
        (4, 0.2, 0.2, "eta 1s"),
        (0, 3, 2.0, "eta ≥12s"),
        (0, 3, None, ""),
        (5, 15, 15.0, ""),
    ],
)
def test_the_greater_of_history_and_pace(
    done: int, took: float, history_s: float | None, said: str
) -> None:
    assert eta(run(done, 5, history_s=history_s), 1000.0 + took) == said


def test_what_runs_at_once_ends_at_once() -> None:
    assert eta(run(1, 5, history_s=1.0, concurrency=4), 1003.0) == "eta 3s"
    assert eta(run(0, 4, history_s=1.0, concurrency=4), 1009.0) == ""


def test_nothing_is_said_of_a_run_that_ended() -> None:
    over = run(2, 5, history_s=9.0)
    over.end = RunEnd.CANCELLED
    assert eta(over, 1003.0) == ""
    assert eta(None, 1003.0) == ""
