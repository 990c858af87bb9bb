"""What keys do the mouse does too: words that name keys, lines of menus, panes, the wheel."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import OptionList

from evaltui.core.comparison import Effect
from evaltui.core.events import RunEnd
from evaltui.core.permit import Grant
from evaltui.disk.history.history_timeline import TimelinePoint
from evaltui.settings.keymap import Keymap, make_keymap
from evaltui.tui.navigation import PaneId
from evaltui.tui.panes.page import Page
from evaltui.tui.render.text_builder import TextBuilder
from evaltui.tui.screens.dialog import Dialog
from evaltui.tui.screens.menu import Menu
from evaltui.tui.screens.picker import Choice, Picker
from evaltui.tui.screens.preview import Preview
from evaltui.tui.screens.prompt import Prompt
from evaltui.tui.screens.sheet_screen import SheetScreen
from evaltui.tui.screens.timeline import TimelineScreen
from evaltui.tui.screens.trust import Trust
from tests.driver import Driver, driving
from tests.tui import scene
from tests.tui.fake_session import FakeEdit, FakeSession

CHOICES = [Choice("one", "One", "o"), Choice("two", "Two", "t")]
GRANTS = [Grant("run", "a program", "d")]
NOTHING = dict.fromkeys(Effect, 0)
POINTS = [
    TimelinePoint(n, f"run-{n}", n, f"reason {n}", RunEnd.COMPLETED, 1.0, 2.0, NOTHING, 3)
    for n in (3, 2, 1)
]


def session(cases: int = 48) -> FakeSession:
    return FakeSession(on_open=list(scene.opened(scene.suites(cases))))


ANSWERED: list[tuple[Callable[[], Dialog[Any]], str, list[object]]] = [
    (lambda: Preview(FakeEdit(), Path()), "writes it", [True]),  # type: ignore[arg-type]
    (lambda: Preview(FakeEdit(), Path()), "Esc cancels", []),  # type: ignore[arg-type]
    (lambda: Trust(GRANTS, is_agreed=False), "y agrees", [True]),
    (lambda: Trust(GRANTS, is_agreed=True), "Esc closes", []),
    (lambda: Prompt("name", "x"), "Enter confirms", ["x"]),
    (lambda: Prompt("name", "x"), "Esc cancels", []),
    (lambda: Picker("pick", CHOICES), "Enter chooses", ["one"]),
    (lambda: Picker("pick", CHOICES), "Two", ["two"]),
    (lambda: Menu("menu", CHOICES), "Two", ["two"]),
    (lambda: Menu("menu", CHOICES), "Esc closes", []),
]


@pytest.mark.parametrize("is_ascii", [False, pytest.param(True, marks=pytest.mark.slow)])
async def test_a_dialog_is_answered_where_it_names_its_keys(is_ascii: bool) -> None:
    async with driving(FakeSession(), is_ascii=is_ascii) as driver:
        for make, words, wanted in ANSWERED:
            answers: list[object] = []
            dialog = make()
            driver.app.dashboard.controller.ask(dialog, answers.append)
            await driver.settle()
            await driver.click(words)
            assert (answers, words) == (wanted, words), dialog
            assert driver.app.screen is driver.app.dashboard


async def timeline(driver: Driver, keymap: Keymap) -> tuple[TimelineScreen, list[str]]:
    screen, answers = TimelineScreen(POINTS, keymap), list[str]()
    driver.app.dashboard.controller.ask(screen, answers.append)
    await driver.settle()
    return screen, answers


async def test_a_click_in_the_timeline_marks_pins_and_shows() -> None:
    async with driving(FakeSession()) as driver:
        screen, answers = await timeline(driver, make_keymap())
        await driver.click("reason 2")
        assert screen.query_one(OptionList).highlighted == 1
        await driver.click("Space marks one")
        assert screen.marked == "run-2"
        await driver.click("reason 3", ctrl=True)
        assert screen.marked == "run-3"
        await driver.click("reason 2", ctrl=True)
        assert screen.marked == "run-2"
        await driver.click("reason 1")
        assert not answers, "only the cursor went there"
        await driver.click("reason 1", times=2)
        assert (answers, screen.marked, screen.is_to_pin) == (["run-1"], "run-2", False)
        screen, answers = await timeline(driver, make_keymap())
        await driver.click("reason 2")
        await driver.click("b pins")
        assert (answers, screen.is_to_pin) == (["run-2"], True)
        screen, answers = await timeline(driver, make_keymap())
        await driver.click("reason 1")
        await driver.click("Enter shows it")
        assert (answers, screen.is_to_pin) == (["run-1"], False)


async def test_the_timeline_follows_the_keys_of_the_user() -> None:
    keymap = make_keymap(own={"cases.choose": "w", "baseline.pin": "ctrl+b"})
    async with driving(FakeSession()) as driver:
        screen, answers = await timeline(driver, keymap)
        driver.sees("Enter shows it · w marks one to compare with · Ctrl+B pins")
        await driver.press("down", "space", "b")
        assert not screen.marked and not answers
        await driver.press("w", "down", "ctrl+b")
        assert (screen.marked, answers, screen.is_to_pin) == ("run-2", ["run-1"], True)


async def test_a_click_unfolds_the_next_of_a_page() -> None:
    def write(builder: TextBuilder) -> None:
        for name in ("one", "two"):
            builder.write(name, fold=name, pages=builder.folds.pages(name))

    async with driving(FakeSession()) as driver:
        driver.app.push_screen(screen := SheetScreen("page", write, "case"))
        await driver.settle()
        await driver.click("n N next case")
        page = screen.query_one(Page)
        assert page.cursor == 1
        await driver.click("Enter unfolds")
        assert page.line is not None and page.line.pages


async def test_a_click_takes_a_line_of_a_menu() -> None:
    async with driving(session()) as driver:
        await driver.press("F")
        await driver.click("Problems  9")
        driver.sees("2 Cases 9/48 problems")


async def test_a_click_on_a_suite_narrows_the_cases_and_one_on_a_drawer_goes_there() -> None:
    async with driving(session()) as driver:
        layout = driver.app.dashboard.controller.layout
        suite = layout.suites.lines.suites[0]
        await driver.click("get_weath", within=layout.suites.region)
        assert layout.cases.arrangement.suite == suite.id
        driver.sees("2 Cases 8/48")
        await driver.press("escape", "escape", "5", "2")
        driver.stands_in(PaneId.CASES)
        await driver.click("get_weather", within=layout.drawers[PaneId.TOOLS].region)
        driver.stands_in(PaneId.TOOLS)


async def test_the_wheel_scrolls_what_is_below_it_and_moves_no_cursor() -> None:
    async with driving(session(2000)) as driver:
        cases = driver.app.dashboard.controller.layout.cases
        row = cases.row
        await driver.wheel("gs-get-weather-003", times=3, within=cases.region)
        assert cases.scroll_offset.y > 0
        assert cases.row is row
