"""What is neither free nor known to be cheap asks first, and so does what is due in two ways."""

import time

import pytest

from evaltui.core.case import CaseKey
from evaltui.core.events import CasesStale, SpendingChanged
from evaltui.core.staleness import Degree, DueCase
from evaltui.tui.screens.which_run import sample
from tests.driver import Driver, driving
from tests.tui import scene
from tests.tui.fake_session import FakeEstimate, FakeSession

EXPENSIVE = FakeEstimate(cost_usd=3.5, asks_first=True, left_usd=4.97)
UNKNOWN = FakeEstimate(never_run=48, asks_first=True)


def session(cases: int = 48, estimated: FakeEstimate | None = None) -> FakeSession:
    opened = list(scene.opened(scene.suites(cases), at=time.time() - 240))
    return FakeSession(on_open=opened, estimated=estimated or FakeEstimate())


def ran(driver: Driver) -> list[int]:
    return [len(keys) for keys, *_ in driver.requested("rerun")]


async def test_a_dear_run_asks_first_and_says_what_is_left() -> None:
    async with driving(session(estimated=EXPENSIVE)) as driver:
        await driver.press("a")
        driver.sees(
            "48 cases, about 12s, about $3.50", "asks first above $1.00", "$4.97 left to spend"
        )
        assert ran(driver) == []
        await driver.press("escape")
        assert ran(driver) == []
        await driver.press("a", "a")
        assert ran(driver) == [48]


async def test_many_runs_of_what_nobody_said_is_free_say_why_they_are_asked_about() -> None:
    taken = FakeEstimate(asks_first=True, is_taken_free=True)
    async with driving(session(estimated=taken)) as driver:
        await driver.press("x", *["backspace"] * 2)
        await driver.write("1000")
        await driver.press("enter")
        driver.sees("asks first: its profile does not say is_free = true")
        assert ran(driver) == []
        await driver.press("enter")
        assert ran(driver) == [1]


@pytest.mark.parametrize(("key", "count"), [("a", 48), ("y", 48), ("s", 20), ("r", 1)])
async def test_what_never_ran_asks_how_much_of_it(key: str, count: int) -> None:
    async with driving(session(estimated=UNKNOWN)) as driver:
        await driver.press("a")
        driver.sees("48 cases never ran, about 12s, cost unknown", "A sample of 20", "This one")
        await driver.press(key)
        assert ran(driver) == [count]
        if key == "r":
            row = driver.app.dashboard.controller.row
            [(keys, *_)] = driver.requested("rerun")
            assert row is not None and keys == (row.key,)


async def test_what_a_run_does_not_count_is_not_counted_in_the_question() -> None:
    host = session(estimated=UNKNOWN)
    keys = [case.key for suite in scene.suites(48) for case in suite.cases]
    host.never_asked = frozenset(keys[:1])
    async with driving(host) as driver:
        await driver.press("a")
        driver.sees("47 cases never ran", "All 47 cases")
        await driver.press("a", "a", "s")
        (everything, *_), (some, *_) = driver.requested("rerun")
        assert len(everything) == 48, "the one that nobody is asked for is settled by it too"
        assert len(some) == 20 and keys[0] not in some


async def test_one_case_is_only_run_or_not() -> None:
    async with driving(session(estimated=EXPENSIVE)) as driver:
        await driver.press("r")
        driver.sees("1 case", "Run it")
        driver.misses("A sample", "This one")
        await driver.press("enter")
        assert ran(driver) == [1]


def test_a_sample_is_spread_evenly_and_never_repeats_a_case() -> None:
    for size in (1, 19, 20, 21, 333):
        keys = [CaseKey("a.json", str(number)) for number in range(size)]
        chosen = [int(key.case) for key in sample(keys)]
        assert len(chosen) == len({*chosen}) == min(20, size)
        assert chosen == sorted(chosen)
        assert max(chosen) >= size * 0.94 - 1


async def due(driver: Driver, **degrees: int) -> None:
    """So many cases are due in each way."""
    host = driver.session
    kinds = [
        Degree(name.replace("_", " ")) for name, number in degrees.items() for _ in range(number)
    ]
    keys = list(host.store.board(host.agents[0]).rows)
    stale = tuple(DueCase(key, kind, ("x",)) for key, kind in zip(keys, kinds, strict=False))
    await driver.hear(CasesStale(host.agents[0], stale, 48))


@pytest.mark.parametrize(("key", "count"), [("c", 2), ("a", 7), ("n", 4), ("R", 7)])
async def test_what_is_due_in_several_ways_asks_which(key: str, count: int) -> None:
    async with driving(session()) as driver:
        await due(driver, affected=2, possibly_affected=5, never_run=4)
        await driver.press("R")
        driver.sees("Certain 2", "All 7", "Never run 4")
        assert ran(driver) == []
        await driver.press(key)
        assert ran(driver) == [count]


@pytest.mark.parametrize("only", ["affected", "possibly_affected", "never_run"])
async def test_what_is_due_in_one_way_does_not_ask(only: str) -> None:
    async with driving(session()) as driver:
        await due(driver, **{only: 3})
        await driver.press("R")
        assert ran(driver) == [3]


async def test_what_waits_for_somebody_to_agree_is_said() -> None:
    async with driving(session()) as driver:
        await driver.hear(SpendingChanged(driver.session.agents[0], 0.0, None, 3))
        driver.sees("3 DUE, ASK FIRST R")
        await due(driver, affected=3, possibly_affected=8)
        driver.sees("◷11", "3 OF 11 DUE, ASK FIRST R")
        await driver.hear(SpendingChanged(driver.session.agents[0], 0.5, 4.5))
        driver.misses("ASK FIRST")
        assert "$4.50 left" in driver.lines[0]


async def test_why_nothing_can_be_run_is_said_before_anything_is_asked() -> None:
    host = session(estimated=EXPENSIVE)
    host.why_not_run = "another runs here"
    async with driving(host) as driver:
        await driver.press("a")
        driver.misses("may be spent")
        await due(driver, affected=2, possibly_affected=5)
        await driver.press("R")
        driver.misses("Certain 2")


async def test_what_is_free_to_judge_again_is_judged_at_once() -> None:
    async with driving(session()) as driver:
        await due(driver, to_be_judged_again=3)
        await driver.press("R")
        assert [len(keys) for keys, _ in driver.requested("rejudge")] == [3]


async def test_what_a_dear_judge_is_to_judge_again_asks_first() -> None:
    host = session()
    host.judging = EXPENSIVE
    async with driving(host) as driver:
        await due(driver, to_be_judged_again=30)
        await driver.press("R")
        driver.sees("30 cases, about $3.50, judged again", "asks first above $1.00")
        driver.misses("A sample")
        assert driver.requested("rejudge") == []
        await driver.press("a")
        assert [len(keys) for keys, _ in driver.requested("rejudge")] == [30]
