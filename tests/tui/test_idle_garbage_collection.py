"""Garbage is looked for while nobody types."""

import gc
from collections.abc import Callable, Iterator

import pytest

from evaltui.core.events import RunEnd, RunFinished
from evaltui.tui.idle_garbage_collection import PATIENCE, REST_S, IdleGarbageCollection

ENDED = RunFinished("run-1", "embedded", RunEnd.COMPLETED, 1.0)


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*thresholds)


class Clock:
    """Calls what is due when told to."""

    def __init__(self) -> None:
        self.due: list[Callable[[], None]] = []
        self.delays: list[float] = []

    def after(self, delay_s: float, call: Callable[[], None]) -> None:
        self.delays.append(delay_s)
        self.due.append(call)

    def ring(self) -> None:
        due, self.due = self.due, []
        for call in due:
            call()


class Knot:
    """Garbage that only the collector can find."""

    left = 0

    def __init__(self) -> None:
        self.me = self
        Knot.left += 1

    def __del__(self) -> None:
        Knot.left -= 1


def test_old_garbage_goes_once_after_a_run_when_nobody_types() -> None:
    clock, is_at_rest = Clock(), False
    garbage_collection = IdleGarbageCollection(clock.after, lambda: is_at_rest)
    garbage_collection.begin()
    garbage_collection.handle(ENDED)
    garbage_collection.handle(ENDED)
    assert clock.delays == [REST_S]
    Knot()
    gc.collect(1)  # nobody had it: it goes with the young
    Knot.left = 0
    knot = Knot()
    gc.collect(1)
    del knot
    clock.ring()
    assert Knot.left == 1, "somebody types"
    is_at_rest = True
    clock.ring()
    assert Knot.left == 0
    assert clock.due == []


def test_what_was_left_alone_goes_too_when_its_time_has_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("evaltui.tui.idle_garbage_collection.WHOLE_EVERY", 1)
    clock = Clock()
    garbage_collection = IdleGarbageCollection(clock.after, lambda: True)
    gc.collect()
    Knot.left = 0
    knot = Knot()
    garbage_collection.begin()
    del knot
    gc.collect()
    assert Knot.left == 1, "it is left alone"
    garbage_collection.handle(ENDED)
    clock.ring()
    assert Knot.left == 0


def test_who_never_rests_is_interrupted_now_and_then() -> None:
    clock = Clock()
    garbage_collection = IdleGarbageCollection(clock.after, lambda: False)
    garbage_collection.handle(ENDED)
    for _ in range(PATIENCE):
        clock.ring()
    assert clock.due
    clock.ring()
    assert not clock.due


def test_what_is_there_at_the_start_is_never_looked_through_again() -> None:
    IdleGarbageCollection(Clock().after, lambda: True).begin()
    assert gc.isenabled()
    assert gc.get_freeze_count() > 10_000
