"""Leaving the dashboard: the session is closed to its end first. And keys show at once."""

import asyncio
import time
from typing import Any

import pytest
from textual import events, messages
from textual.drivers.headless_driver import HeadlessDriver

from evaltui.tui import start
from evaltui.tui.app import DashboardApp
from tests.driver import Driver, driving, until
from tests.tui import scene
from tests.tui.fake_session import FakeSession


class SlowToClose(FakeSession):
    """Writes for a while when it is closed, as a session with 20,000 results does."""

    closed = False

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.watched = asyncio.Event()

    async def watch(self) -> None:
        self.watched.set()
        await asyncio.Event().wait()

    async def close(self) -> None:
        await asyncio.sleep(0.2)
        self.closed = True


async def ended(driver: Driver) -> None:
    await until(driver.pilot, lambda: driver.app.return_value is not None)


def slow() -> SlowToClose:
    return SlowToClose(on_open=list(scene.opened(scene.suites(48), at=time.time())))


@pytest.mark.slow
async def test_the_session_is_closed_before_the_app_ends() -> None:
    session = slow()
    async with driving(session) as driver:
        await driver.pilot.press("q")
        await ended(driver)
        assert session.closed


async def test_it_is_closed_too_where_something_else_ends_the_app(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As the page of a browser that is gone."""
    for name in ("terminal_restorer", "deafness_watcher", "end_on_signals", "watch_for_hangup"):
        monkeypatch.setattr(start, name, lambda *_: None)
    monkeypatch.setattr(DashboardApp, "get_driver_class", lambda _: HeadlessDriver)
    session = slow()
    app = start.make_app(session)
    running = asyncio.create_task(start._run(app))
    async with asyncio.timeout(10):
        await session.watched.wait()
        app.post_message(messages.ExitApp())
        await running
    assert session.closed


async def test_who_asks_again_need_not_wait() -> None:
    session = slow()
    async with driving(session) as driver:
        await driver.pilot.press("q", "q")
        await ended(driver)
        assert not session.closed


async def test_what_a_key_changed_is_painted_before_anything_else_happens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with driving(slow()) as driver:
        shown: list[object] = []
        monkeypatch.setattr(driver.app, "_display", lambda _, update: shown.append(update))
        await driver.settle()
        shown.clear()
        assert driver.app.dashboard.take(events.Key("j", "j"))
        assert shown


async def test_panes_that_move_are_painted_once_textual_has_placed_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with driving(slow()) as driver:
        shown: list[object] = []
        monkeypatch.setattr(driver.app, "_display", lambda _, update: shown.append(update))
        await driver.settle()
        shown.clear()
        assert driver.app.dashboard.take(events.Key("plus", "+"))
        assert not shown
        await until(driver.pilot, lambda: bool(shown))
