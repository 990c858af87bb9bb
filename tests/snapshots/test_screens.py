"""Golden screens: a recorded run, a clock that stands still, four sizes, two themes.

Of another theme only the styles differ, so that it is looked at in one size as a rule.
"""

import time

import pytest

from evaltui.core.watch_state import WatchState
from evaltui.tui.sessions import replay
from tests.driver import EACH_SIZE, SIZES, Driver, driving
from tests.snapshots.golden_screen import compare
from tests.streams.record import FOLDER as STREAMS
from tests.tui import scene
from tests.tui.fake_session import FakeSession

EACH_LOOK = [
    *((size, "dark") for size in SIZES),
    (SIZES[0], "light"),
    *(pytest.param(size, "light", marks=pytest.mark.slow) for size in SIZES[1:]),
]


def named(value: object) -> str:
    return f"{value[0]}x{value[1]}" if isinstance(value, tuple) else str(value)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ages on the screen are counted from one moment, and nothing of a replay is waited for."""
    monkeypatch.setattr(time, "time", lambda: scene.NOW + 3)
    monkeypatch.setattr(replay, "LONGEST_S", 0.0)


async def played(driver: Driver, text: str) -> None:
    """To the end of the stream, however fast this machine is."""
    await driver.sees_soon(text)
    live = driver.app.live
    assert live is not None
    await live.wait()
    await driver.press("S", "S", "g")  # rows stay where they are while a run is on


def look(driver: Driver, name: str) -> None:
    compare(name, driver.app.screen._compositor.render_strips())


@pytest.mark.parametrize(("size", "theme"), EACH_LOOK, ids=named)
async def test_a_run_under_way(size: tuple[int, int], theme: str) -> None:
    stream = STREAMS / "under_way.jsonl"
    async with driving(
        FakeSession(state=WatchState.REPLAY), size=size, theme=theme, replay=stream
    ) as driver:
        await played(driver, "9/16")
        look(driver, f"under_way_{theme}_{size[0]}x{size[1]}")


@pytest.mark.parametrize("size", EACH_SIZE, ids=named)
async def test_the_detail_of_the_worst_case(size: tuple[int, int]) -> None:
    async with driving(
        FakeSession(state=WatchState.REPLAY), size=size, replay=STREAMS / "ended.jsonl"
    ) as driver:
        await played(driver, "REPLAY")
        await driver.press("n", "enter", "g")
        look(driver, f"detail_dark_{size[0]}x{size[1]}")
