"""A reason keeps its room: other columns give way first, and only what is worth a look has one."""

import time

import pytest
from msgspec.structs import replace

from evaltui.core.events import CaseFinished
from evaltui.tui.render.case_line import REASON
from tests.driver import Driver, driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession


def session() -> FakeSession:
    return FakeSession(on_open=list(scene.opened(scene.suites(48), at=time.time() - 240)))


def room(driver: Driver) -> int:
    lines = driver.app.dashboard.controller.layout.cases.lines
    width = driver.app.dashboard.controller.layout.cases.scrollable_content_region.width
    return lines.columns(width).note


@pytest.mark.parametrize(
    ("width", "height"),
    [(100, 30), (120, 35), (130, 40), (160, 45), (220, 50)],
)
async def test_of_at_least_forty_cells(width: int, height: int) -> None:
    async with driving(session(), size=(width, height)) as driver:
        assert room(driver) >= REASON == 40


async def test_where_that_is_not_to_be_had_it_has_all_but_the_name() -> None:
    async with driving(session(), size=(60, 20)) as driver:
        layout = driver.app.dashboard.controller.layout
        columns = layout.cases.lines.columns(layout.cases.scrollable_content_region.width)
        others = (columns.description, columns.suite, columns.recent, columns.duration)
        assert others == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("usual", "took", "said"),
    [
        (15.0, 20.0, ""),
        (15.0, 40.0, "40ms"),
        (90.0, 99.0, ""),
        (90.0, 110.0, "110ms"),
        (0.5, 9.0, ""),  # by chance
    ],
)
async def test_a_time_is_shown_when_it_is_long_or_twice_the_usual(
    usual: float, took: float, said: str
) -> None:
    made = scene.suites(48)
    case = scene.cases_of(made)[0]
    async with driving(session()) as driver:
        for number, duration in enumerate((usual, usual, took)):
            result = scene.result(case, scene.P, at=time.time())
            row = driver.app.dashboard.controller.board.rows[case.key]
            row.result = None if not number else row.result
            timed = replace(result, run_id=f"run-{number}", duration_ms=duration)
            await driver.hear(CaseFinished(timed.run_id, timed))
        driver.app.dashboard.controller.layout.cases.sort()
        await driver.settle()
        line = driver.row(case.id)
        assert (said in line) if said else ("ms" not in line), line
