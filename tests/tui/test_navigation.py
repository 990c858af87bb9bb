"""Which panes are in visible."""

import pytest

from evaltui.tui.navigation import Navigation, PaneId
from evaltui.tui.panes.detail import DetailPane
from tests.driver import driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession

S, C, D, P, T = PaneId


@pytest.mark.parametrize(
    ("width", "steps", "visible"),
    [
        (160, [], (S, C, D)),
        (160, [P], (S, C, D, P)),
        (160, [P, T], (S, C, D, T)),
        (100, [], (C, D)),
        (100, [S], (S,)),
        (100, [P], (C, P)),
        (100, [P, D], (C, D)),
        (60, [], (C,)),
        (60, [D], (D,)),
        (60, [T], (T,)),
    ],
)
def test_visible(width: int, steps: list[PaneId], visible: tuple[PaneId, ...]) -> None:
    navigation = Navigation(width)
    for step in steps:
        navigation.go(step)
    assert navigation.visible == visible
    assert navigation.pane in visible


@pytest.mark.parametrize("width", [160, 100, 60])
def test_back_always_ends_at_the_cases(width: int) -> None:
    navigation = Navigation(width)
    for place in (P, D, S, T):
        navigation.go(place)
    navigation.is_zoomed = True
    steps = 0
    while navigation.back():
        steps += 1
        assert steps < 9
    assert navigation.pane is C
    assert navigation.drawer is None


@pytest.mark.parametrize("width", [160, 100, 60])
def test_tab_goes_round(width: int) -> None:
    navigation = Navigation(width)
    seen = []
    for _ in range(6):
        navigation.go(navigation.next())
        seen.append(navigation.pane)
    assert C in seen
    assert D in seen


def test_zoom_ends_when_another_pane_is_wanted() -> None:
    navigation = Navigation(160, is_zoomed=True)
    assert navigation.visible == (C,)
    navigation.go(D)
    assert not navigation.is_zoomed


def session() -> FakeSession:
    return FakeSession(on_open=[*scene.opened(scene.suites(48))])


async def test_tab_goes_through_the_panes_of_the_board() -> None:
    async with driving(session()) as driver:
        driver.stands_in(C)
        for place in (D, S, C):
            await driver.press("tab")
            driver.stands_in(place)
        for place in (S, D, C):
            await driver.press("shift+tab")
            driver.stands_in(place)


async def test_the_detail_scrolls_while_the_list_keeps_the_focus() -> None:
    async with driving(session(), size=(160, 24)) as driver:
        cases = driver.app.dashboard.controller.layout.cases
        sheet = driver.app.dashboard.query_one(DetailPane).sheet
        await driver.press("[")  # Raw has the most lines
        top, row = sheet.scroll_offset.y, cases.row
        await driver.press("J", "J", "J")
        assert sheet.scroll_offset.y == top + 3
        await driver.press("K")
        assert sheet.scroll_offset.y == top + 2
        assert cases.row is row
        driver.stands_in(C)


async def test_the_same_keys_scroll_the_detail_that_has_the_focus() -> None:
    async with driving(session(), size=(160, 24)) as driver:
        sheet = driver.app.dashboard.query_one(DetailPane).sheet
        await driver.press("[", "3")
        await driver.press("g")
        await driver.press("J", "J", "J")
        assert (sheet.scroll_offset.y, sheet.cursor) == (3, 3)
        await driver.press("j", "K")
        assert (sheet.scroll_offset.y, sheet.cursor) == (2, 4)


async def test_the_previous_problem_is_the_one_before() -> None:
    async with driving(session()) as driver:
        cases = driver.app.dashboard.controller.layout.cases
        failed = [key for key in cases.arrangement.keys if cases.board.rows[key].is_failing]
        seen = []
        for key in ("n", "n", "N", "N", "N"):
            await driver.press(key)
            assert cases.row is not None
            seen.append(failed.index(cases.row.key))
        assert seen == [1, 2, 1, 0, len(failed) - 1]
