"""What other lines bring under the cursor the detail is about in the same frame."""

import time

from textual.containers import VerticalScroll

from evaltui.tui.screens.log import LogScreen
from tests.driver import Driver, driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession


def session(cases: int = 48) -> FakeSession:
    return FakeSession(on_open=list(scene.opened(scene.suites(cases), at=time.time() - 240)))


def assert_one_frame(driver: Driver) -> None:
    layout = driver.app.dashboard.controller.layout
    assert layout.cases.row is not None
    shown = layout.cases.row.key
    assert (layout.shown, getattr(layout.detail, "key", None)) == (shown, shown)


async def test_a_run_that_puts_the_lines_in_order() -> None:
    host = session()
    async with driving(host, size=(120, 35)) as driver:
        controller = driver.app.dashboard.controller
        before = controller.row
        events = scene.run(list(reversed(scene.cases_of(scene.suites(48)))), at=time.time())
        host.emit(*events)
        controller.pump.flush()
        assert controller.row is not before
        assert_one_frame(driver)


async def test_another_board() -> None:
    async with driving(session()) as driver:
        controller = driver.app.dashboard.controller
        controller.layout.cases.apply_filter("status:passed")
        other = session()
        other.emit(*other.on_open)
        controller.layout.cases.apply_filter("")
        await driver.settle()
        before, cases = controller.row, scene.suites(48)
        other.emit(*scene.run(list(reversed(scene.cases_of(cases))), at=time.time()))
        controller.use_session(other)
        assert controller.row is not before
        assert_one_frame(driver)


async def test_the_log_is_written_for_the_width_that_it_has_in_the_end() -> None:
    words = "read 6 suites, 48 cases, 5 tools"
    async with driving(session()) as driver:
        await driver.press("L")
        screen = driver.app.screen
        assert isinstance(screen, LogScreen)
        scroll = screen.query_one(VerticalScroll)
        scroll.styles.width = 8  # as in the middle of a resize
        await driver.settle()
        screen.on_resize()
        await driver.settle()
        driver.misses(words)
        scroll.styles.width = "100%"
        await driver.settle()
        screen._update()  # as it does twice a second
        await driver.settle()
        driver.sees(words)
