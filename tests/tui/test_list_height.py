"""Below a short list the detail grows, and a list that grows takes its room back."""

import pytest

from evaltui.tui.panes.list_height import DETAIL_ROWS, TAUGHT_ROWS
from tests.driver import Driver, driving, until
from tests.tui import scene
from tests.tui.fake_session import FakeSession

MADE = scene.suites(48)
FOUND = 3
"""A case, the heading of its file, and the border."""
WHOLE = 12 + 4 + 3 + 1
"""Twelve cases, the headings of their files, those above what fails in three of them, and the
border."""


def heights(driver: Driver) -> tuple[int, int]:
    layout = driver.app.dashboard.controller.layout
    return layout.cases.outer_size.height, layout.detail.outer_size.height


async def after_a_save(driver: Driver) -> None:
    await driver.hear(*scene.run(scene.cases_of(MADE)[:16]))
    driver.sees("NOT TOUCHED 33", "▸ unfold")


@pytest.mark.parametrize("size", [(120, 35), pytest.param((100, 40), marks=pytest.mark.slow)])
async def test_what_a_short_list_leaves_is_the_details(size: tuple[int, int]) -> None:
    async with driving(FakeSession(on_open=list(scene.opened(MADE))), size=size) as driver:
        cases, detail = heights(driver)
        assert cases > FOUND, "48 cases fill their share"
        await driver.press("/", *"gs-get-weather-000", "enter")
        assert heights(driver) == (FOUND, cases + detail - FOUND)
        await driver.press("escape")
        assert heights(driver) == (cases, detail)
        await after_a_save(driver)
        lines = driver.app.dashboard.controller.layout.cases.lines.count
        cases_now, detail_now = heights(driver)
        is_whole = lines + 1 + DETAIL_ROWS <= cases + detail
        assert cases_now == (lines + 1 if is_whole else min(cases, lines + 1))
        assert cases_now + detail_now == cases + detail


@pytest.mark.parametrize(("height", "is_whole"), [(36, True), (30, False)])
async def test_a_list_is_not_cut_above_a_detail_that_does_not_need_the_room(
    height: int, is_whole: bool
) -> None:
    """Also when the terminal becomes higher."""
    opened = list(scene.opened(scene.suites(12, 4)))
    async with driving(FakeSession(on_open=opened), size=(120, 80 - height)) as driver:
        for rows, is_whole_then in ((height, is_whole), (24, False), (50, True)):
            await driver.resize(120, rows)

            def is_shared(rows: int = rows, is_whole: bool = is_whole_then) -> bool:
                cases, detail = heights(driver)
                return cases + detail == rows - 2 and (cases == WHOLE) is is_whole

            await until(driver.pilot, is_shared)
            assert is_whole_then is (rows - 2 - WHOLE >= DETAIL_ROWS)


@pytest.mark.slow
async def test_a_list_that_stands_alone_or_beside_keeps_all_of_its_room() -> None:
    for size in ((60, 20), (160, 45)):
        async with driving(FakeSession(on_open=list(scene.opened(MADE))), size=size) as driver:
            before = driver.app.dashboard.controller.layout.cases.outer_size.height
            await driver.press("/", *"gs-get-weather-00000", "enter")
            assert driver.app.dashboard.controller.layout.cases.outer_size.height == before


@pytest.mark.parametrize(
    "size",
    [
        *((120, 35), (60, 20)),
        *(pytest.param(size, marks=pytest.mark.slow) for size in ((100, 30), (80, 24))),
    ],
)
async def test_the_detail_says_what_was_asked_at_every_size(size: tuple[int, int]) -> None:
    async with driving(FakeSession(on_open=list(scene.opened(MADE))), size=size) as driver:
        await driver.press("3" if size[0] < 80 else "g", "j", "j")
        driver.sees("asks What about", "[Diff]")


@pytest.mark.slow
async def test_a_list_without_a_case_keeps_the_lines_that_it_teaches_on() -> None:
    async with driving(FakeSession(on_open=list(scene.opened(MADE))), size=(80, 24)) as driver:
        await driver.press("/", *"nothing-is-called-so", "enter")
        assert heights(driver)[0] == TAUGHT_ROWS
        driver.sees("Esc")


async def test_the_counts_of_two_agents_take_no_line_from_a_list_that_fits() -> None:
    both = [
        event
        for agent in ("embedded", "careless")
        for event in scene.opened(scene.suites(2, 1), agent=agent)
    ]
    session = FakeSession(on_open=both, agents=("embedded", "careless"))
    async with driving(session, size=(100, 40)) as driver:
        cases = driver.app.dashboard.controller.layout.cases
        assert cases.lines.count == 3
        assert [*cases.in_sight] == [0, 1, 2]
        assert cases.outer_size.height == 1 + cases.head_rows + 3
