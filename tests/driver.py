"""A robot that uses the dashboard as a person does: it presses, clicks and reads the screen."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from textual._wait import wait_for_idle
from textual.app import App
from textual.events import MouseScrollDown
from textual.geometry import Region
from textual.pilot import Pilot

from evaltui.core.events import Event
from evaltui.tui.app import DashboardApp
from evaltui.tui.navigation import PaneId
from evaltui.tui.panes.sheet import SheetPane
from evaltui.tui.sessions.session_protocol import SessionProtocol
from evaltui.tui.start import make_app

PATIENCE_S = 5.0
SIZES = ((160, 45), (100, 30), (80, 24), (60, 20))
"""Terminals, widest first: each has another arrangement of the panes."""
EACH_SIZE = [
    *(SIZES[0], SIZES[3]),
    *(pytest.param(size, marks=pytest.mark.slow) for size in SIZES[1:3]),
]


async def until_idle(*_: float) -> None:
    """Wait until no callback is due. Nothing is waited for that a thread does or a timer starts.

    Textual's own way takes 20 ms or more each time, to guess it from the CPU time that goes by.
    """
    loop: Any = asyncio.get_running_loop()
    quiet = 0
    while quiet < 2:  # what the system has for the loop becomes due with a turn of it
        await asyncio.sleep(0)
        quiet = 0 if loop._ready else quiet + 1


class Idleness:
    """What a pilot waits for after each step: nothing due, and where threads and processes are at
    work and `is_patient`, little use of the CPU."""

    def __init__(self, *, is_alone: bool) -> None:
        self.is_patient = not is_alone

    async def __call__(self, *_: float) -> None:
        await (wait_for_idle() if self.is_patient else until_idle())

    @contextmanager
    def hurrying(self) -> Iterator[None]:
        """In the middle of what a person does: nobody looks at the screen yet."""
        before, self.is_patient = self.is_patient, False
        try:
            yield
        finally:
            self.is_patient = before


@asynccontextmanager
async def piloted(
    app: App[Any], size: tuple[int, int], idle: Idleness | None = None
) -> AsyncIterator[Pilot[Any]]:
    """Start an application. One that is alone waits for no thread and no process."""
    idle = idle or Idleness(is_alone=True)
    with patch("textual.app.wait_for_idle", idle), patch("textual.pilot.wait_for_idle", idle):
        async with app.run_test(size=size, notifications=True) as pilot:
            yield pilot


async def until(pilot: Pilot[Any], condition: Callable[[], bool]) -> None:
    """Wait for what a timer or a thread brings about."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await pilot.pause(0.01)


class Driver:
    """One person at one dashboard."""

    def __init__(self, app: DashboardApp, pilot: Pilot[Any], session: Any, idle: Idleness) -> None:
        self.app, self.pilot, self.session = app, pilot, session
        self._idle = idle

    async def press(self, *keys: str) -> None:
        """Press keys one after another; a text is typed with `write`."""
        with self._idle.hurrying():
            for key in keys:
                await self.pilot.press(key)
                await self.pilot.pause()  # a frame is painted between two keys
        await self.settle()

    async def write(self, text: str) -> None:
        names = {" ": "space", ":": "colon", "_": "underscore", "!": "exclamation_mark"}
        names |= {"-": "minus", ".": "full_stop", "/": "slash"}
        await self.press(*(names.get(letter, letter) for letter in text))

    async def click(
        self,
        text: str,
        *,
        times: int = 1,
        shift: bool = False,
        ctrl: bool = False,
        within: Region | None = None,
    ) -> None:
        """Click where the text stands, first of all or `within` a part of the screen."""
        y, x = self.place(text, within)
        widget, region = self.app.get_widget_at(x, y)
        offset = (x - region.x, y - region.y)
        await self.pilot.click(widget, offset, times=times, shift=shift, control=ctrl)
        await self.settle()

    async def wheel(self, text: str, *, times: int, within: Region | None = None) -> None:
        """Turn the wheel downwards where the text stands."""
        y, x = self.place(text, within)
        for _ in range(times):
            plain = (0, 1, 0, False, False, False)  # how far, and no button or key
            self.app.post_message(MouseScrollDown(None, x, y, *plain, screen_x=x, screen_y=y))
            await self.pilot.pause()
        await self.settle()

    async def resize(self, width: int, height: int) -> None:
        await self.pilot.resize_terminal(width, height)
        navigation = self.app.dashboard.controller.layout.navigation
        await until(
            self.pilot,
            lambda: self.app.screen.size == (width, height) and navigation.width == width,
        )
        await self.settle()

    async def hear(self, *events: Event) -> None:
        """Something happens, and the screen had time to show it."""
        for event in events:
            self.session.emit(event)
        await self.settle()

    async def settle(self) -> None:
        """Wait until everything that is due has been painted."""
        await self.pilot.pause()
        controller = self.app.dashboard.controller
        with self._idle.hurrying():
            for _ in range(20):  # a run that goes on tells ever more
                controller.pump.flush()
                await self.pilot.pause()  # the list says where its cursor went
                controller.follow()
                for pane in self.app.screen.query(SheetPane):
                    if pane._later is not None:  # due, and only waiting for its turn
                        pane.paint()
                await self.pilot.pause()
                await self.pilot.pause()
                if controller.pump._timer is None:
                    return

    @property
    def lines(self) -> list[str]:
        """The screen as text."""
        strips = self.app.screen._compositor.render_strips()
        return [strip.text.rstrip() for strip in strips]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def place(self, text: str, within: Region | None = None) -> tuple[int, int]:
        """Line and column of a text; fails with the whole screen."""
        part = within or self.app.screen.region
        for y, line in enumerate(self.lines[part.y : part.bottom], part.y):
            if text in line[part.x : part.right]:
                return y, line.index(text, part.x)
        raise AssertionError(f"`{text}` is not on the screen:\n{self.text}")

    def row(self, case: str) -> str:
        """The line of a case in the cases pane, without its neighbours."""
        region = self.app.dashboard.controller.layout.cases.region
        strips = self.app.screen._compositor.render_strips()
        for strip in strips[region.y + 1 : region.bottom]:
            text = strip.crop(region.x, region.right).text
            if case in text:
                return text
        raise AssertionError(f"no row of `{case}` is on the screen:\n{self.text}")

    def sees(self, *texts: str) -> None:
        for text in texts:
            self.place(text)

    def misses(self, *texts: str) -> None:
        for text in texts:
            assert text not in self.text, f"`{text}` is on the screen:\n{self.text}"

    async def sees_soon(self, text: str) -> None:
        """Wait for it, as a person would."""
        await until(self.pilot, lambda: text in self.text)

    def stands_in(self, place: PaneId) -> None:
        focused = self.app.screen.focused
        pane = self.app.dashboard.controller.layout.panes[place]
        assert focused is not None
        assert pane in focused.ancestors_with_self, f"the focus is in {focused}"

    def requested(self, name: str) -> list[tuple[Any, ...]]:
        """What was asked of the session, by the name of the request."""
        return [request[1:] for request in self.session.requested if request[0] == name]


@asynccontextmanager
async def driving(
    session: SessionProtocol,
    *,
    size: tuple[int, int] = (160, 45),
    theme: str = "dark",
    is_ascii: bool = False,
    guide: bool = False,
    replay: Path | None = None,
    events: Iterable[Event] = (),
    is_alone: bool = True,
) -> AsyncIterator[Driver]:
    """Start the dashboard on a session that is open by the time the driver looks.

    It is alone with a session that reads and runs nothing itself.
    """
    app = make_app(session, theme=theme, is_ascii=is_ascii, guide=guide, replay=replay)
    idle = Idleness(is_alone=is_alone)
    async with piloted(app, size, idle) as pilot:
        driver = Driver(app, pilot, session, idle)
        await until(pilot, lambda: bool(app.dashboard.controller.layout.drawers))
        await driver.settle()
        await driver.hear(*events)
        yield driver
