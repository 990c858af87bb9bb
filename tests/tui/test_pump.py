"""The pump: many events, few paints, none without a reason."""

import asyncio
from itertools import pairwise

import pytest
from msgspec.structs import replace

from evaltui.core.events import (
    CaseFinished,
    CasesStale,
    Event,
    ProjectRead,
    RunFinished,
    RunStarted,
)
from evaltui.core.frame import FRAME_S
from evaltui.core.staleness import Degree, DueCase
from evaltui.store.changes import Changes
from evaltui.store.store import Store
from evaltui.tui.pump import FIRST_JUDGED_PERIODS, FLOOD_PERIODS, READING_PERIODS, Pump
from tests.tui import scene


async def test_a_burst_is_shown_once_and_rest_costs_nothing() -> None:
    store = Store()
    shown: list[Changes] = []
    pump = Pump(store, shown.append)
    made = scene.suites(200)
    for event in (*scene.opened(made), *scene.run(scene.cases_of(made))):
        store.handle(event)
        pump.handle(event)
    await asyncio.sleep(0)
    await asyncio.sleep(FRAME_S * 2)
    assert len(shown) == 1
    assert len(shown[0].rows[scene.AGENT]) == 200
    await asyncio.sleep(FRAME_S * 3)
    assert pump.flushes == 1


async def test_a_reading_is_shown_with_what_it_makes_of_the_results_or_some_periods_later() -> None:
    reading, *_ = scene.opened(scene.suites(2))
    assert isinstance(reading, ProjectRead)
    loop = asyncio.get_running_loop()
    pump = Pump(Store(), lambda _: None)
    began = loop.time()
    pump.handle(reading)
    pump.handle(reading)
    assert pump._timer is not None
    assert pump._timer.when() >= began + FRAME_S * READING_PERIODS
    pump.handle(CasesStale(scene.AGENT, (), 2))
    assert began + FRAME_S <= pump._timer.when() <= loop.time() + FRAME_S, "it may have results"
    pump.stop()


async def test_a_run_is_shown_with_its_first_result_or_a_period_later() -> None:
    made = scene.suites(1)
    began, *others = scene.run(scene.cases_of(made))
    result = next(event for event in others if isinstance(event, CaseFinished))
    assert isinstance(began, RunStarted)
    loop = asyncio.get_running_loop()
    pump = Pump(Store(), lambda _: None)
    for event in (began, *others[: others.index(result)]):
        pump.handle(event)
    assert pump._timer is not None
    assert loop.time() < pump._timer.when() <= loop.time() + FRAME_S
    pump.handle(result)
    assert pump._timer.when() <= loop.time()
    pump.stop()


async def test_kept_answers_are_judged_again_without_a_paint_before_the_last() -> None:
    made = scene.suites(48)
    began, *others = scene.run(scene.cases_of(made))
    assert isinstance(began, RunStarted)
    results = [event for event in others if isinstance(event, CaseFinished)]
    loop = asyncio.get_running_loop()
    pump = Pump(Store(), lambda _: None)
    pump.handle(CasesStale(scene.AGENT, (), 48))
    waiting: list[Event] = [replace(began, is_rejudging=True), *results[:-1]]
    for event in waiting:
        pump.handle(event)
        assert pump._timer is not None
        assert pump._timer.when() > loop.time() + FRAME_S * (FIRST_JUDGED_PERIODS - 1)
    pump.handle(results[-1])
    assert pump._timer is not None
    assert pump._timer.when() <= loop.time()
    pump.stop()


async def test_what_a_save_has_judged_again_waits_for_its_run() -> None:
    reading, *_ = scene.opened(scene.suites(1))
    loop = asyncio.get_running_loop()
    pump = Pump(Store(), lambda _: None)
    pump.handle(reading)
    assert pump._timer is not None
    by_reading = pump._timer.when()
    await asyncio.sleep(0)
    due = (DueCase(scene.cases_of(scene.suites(1))[0].key, Degree.TO_JUDGE, ("expectation",)),)
    at = loop.time()
    pump.handle(CasesStale(scene.AGENT, due, 1, ("evals/a.golden.json",), due))
    assert pump._timer.when() >= at + FRAME_S * READING_PERIODS > by_reading
    pump.handle(CasesStale(scene.AGENT, due, 1))
    assert pump._timer.when() <= loop.time() + FRAME_S, "nothing was saved"
    pump.stop()


async def test_no_more_than_thirty_a_second() -> None:
    store = Store()
    made = scene.suites(48)
    for event in scene.opened(made):
        store.handle(event)
    times: list[float] = []
    loop = asyncio.get_running_loop()
    pump = Pump(store, lambda _: times.append(loop.time()))
    until = loop.time() + 0.3
    while loop.time() < until:
        for event in scene.run(scene.cases_of(made)[:1]):
            store.handle(event)
            pump.handle(event)
        await asyncio.sleep(0.001)
    pump.stop()
    gaps = [after - before for before, after in pairwise(times)]
    assert len(times) >= 3
    assert min(gaps) >= FRAME_S * 0.9


async def test_a_flood_of_results_is_shown_less_often_and_what_follows_as_usual() -> None:
    store = Store()
    made = scene.suites(480)
    pump = Pump(store, lambda _: None)
    for event in scene.opened(made):
        store.handle(event)
    pump.flush()
    for event in scene.run(scene.cases_of(made)):
        store.handle(event)
    pump.flush()
    assert wait_s(pump) == pytest.approx(FRAME_S * FLOOD_PERIODS)
    pump.flush()
    assert wait_s(pump) == pytest.approx(FRAME_S)
    pump.stop()


@pytest.mark.parametrize("awaited", [CaseFinished, RunFinished])
async def test_neither_the_last_result_of_a_run_nor_its_end_waits_for_others(
    awaited: type[Event],
) -> None:
    store = Store()
    made = scene.suites(480)
    pump = Pump(store, lambda _: None)
    for event in scene.opened(made):
        store.handle(event)
    pump.flush()
    events = [*scene.run(scene.cases_of(made))]
    last = max(number for number, event in enumerate(events) if isinstance(event, awaited))
    for event in events[:last]:
        store.handle(event)
        pump.handle(event)
    pump.flush()
    assert wait_s(pump) == pytest.approx(FRAME_S * FLOOD_PERIODS)
    store.handle(events[last])
    pump.handle(events[last])
    assert wait_s(pump) == pytest.approx(FRAME_S)
    pump.stop()


def wait_s(pump: Pump) -> float:
    """How long after the last flush the next one comes, now that something is to be shown."""
    pump.wake()
    assert pump._timer is not None
    return pump._timer.when() - max(pump._last, pump._last_idle)


async def test_what_is_known_does_not_wait_for_a_cursor_that_moved_a_moment_ago() -> None:
    store, loop = Store(), asyncio.get_running_loop()
    opened = [*scene.opened(scene.suites(2))]
    pump = Pump(store, lambda _: None)
    pump.flush()
    pump.wake()
    assert pump._timer is not None
    assert pump._timer.when() > loop.time(), "cursors do not have the footer painted all the time"
    for event in opened:
        store.handle(event)
    pump.wake()
    assert pump._timer.when() <= loop.time()
    pump.give_way()
    pump.wake()
    assert pump._timer.when() > loop.time(), "it gave way to a key"
    pump.stop()


async def test_nothing_is_lost_between_two_paints() -> None:
    store = Store()
    seen: set[object] = set()
    pump = Pump(store, lambda changes: seen.update(changes.rows.get(scene.AGENT, ())))
    made = scene.suites(48)
    for event in scene.opened(made):
        store.handle(event)
    for event in scene.run(scene.cases_of(made)):
        store.handle(event)
        pump.handle(event)
        await asyncio.sleep(0)
    pump.flush()
    pump.stop()
    assert len(seen) == 48


async def test_results_give_way_to_keys_but_not_for_long() -> None:
    store = Store()
    made = scene.suites(48)
    for event in scene.opened(made):
        store.handle(event)
    shown: list[float] = []
    loop = asyncio.get_running_loop()
    pump = Pump(store, lambda _: shown.append(loop.time()))
    pump.flush()
    await asyncio.sleep(FRAME_S * 2)
    began = loop.time()
    pump.wake()  # at once, were it not for the keys
    while len(shown) < 2:
        pump.give_way()
        await asyncio.sleep(0.001)
    assert shown[1] - began > FRAME_S
    shown.clear()
    pump.give_way()
    await asyncio.sleep(FRAME_S * 2)
    assert not shown, "there was nothing to show"


async def test_nothing_is_shown_once_the_screen_is_gone() -> None:
    shown: list[Changes] = []
    pump = Pump(Store(), shown.append)
    pump.wake()
    pump.stop()
    pump.wake()
    await asyncio.sleep(FRAME_S * 3)
    assert not shown
