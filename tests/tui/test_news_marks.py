"""A row that just changed is marked for two seconds; nothing is where no motion is wanted."""

from collections import Counter

import pytest
from msgspec.structs import replace
from textual import constants

from evaltui.core.events import ResultsLoaded
from tests.driver import Driver, driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession
from tests.tui.test_ages import Clock, clock

__all__ = ["clock"]
MADE = scene.suites(48)
SAME, NEWS = MADE[0].cases[3].id, MADE[1].cases[3].id
"""One that fails as before, and one with an error."""


async def after_a_run(driver: Driver) -> None:
    await driver.hear(*scene.opened(MADE, at=scene.NOW - 60))
    await driver.hear(*scene.run(scene.cases_of(MADE)[:16], at=scene.NOW + 0.4, trigger=()))
    await driver.press("g")


def is_marked(driver: Driver, case: str) -> bool:
    return driver.row(case).lstrip("│┌┃").startswith("●")


async def test_a_row_that_changed_is_marked_until_two_seconds_have_gone(clock: Clock) -> None:
    async with driving(FakeSession()) as driver:
        layout = driver.app.dashboard.controller.layout
        await after_a_run(driver)
        for later, marked in ((0.0, True), (1.0, True), (2.3, True), (2.5, False), (9.0, False)):
            clock.now = scene.NOW + later
            layout.refresh_ages()
            await driver.settle()
            assert is_marked(driver, NEWS) is marked, later
            assert not is_marked(driver, SAME)


async def test_no_row_is_marked_where_no_motion_is_wanted(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants, "TEXTUAL_ANIMATIONS", "none")
    async with driving(FakeSession()) as driver:
        await after_a_run(driver)
        assert clock.now == scene.NOW
        assert not is_marked(driver, NEWS)


async def test_results_of_an_earlier_process_are_no_news_however_young(clock: Clock) -> None:
    async with driving(FakeSession()) as driver:
        cached = next(one for one in scene.opened(MADE) if isinstance(one, ResultsLoaded))
        counts = {suite.id: Counter(one.status for one in cached.results) for suite in MADE}
        await driver.hear(replace(cached, counts=counts, newest_at=scene.NOW))
        assert clock.now == scene.NOW
        assert not is_marked(driver, NEWS)
        await driver.hear(*scene.opened(MADE))
        assert not is_marked(driver, NEWS)
