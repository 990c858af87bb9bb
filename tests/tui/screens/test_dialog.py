"""A dialog is answered once, however often a write of the terminal answers it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual.events import Key

from evaltui.core.permit import Grant
from evaltui.evaluators.config_fields import ConfigField, FieldKind
from evaltui.tui.screens.config_form import ConfigForm
from evaltui.tui.screens.dialog import Dialog
from evaltui.tui.screens.menu import Menu
from evaltui.tui.screens.picker import Choice, Picker
from evaltui.tui.screens.preview import Preview
from evaltui.tui.screens.prompt import Prompt
from evaltui.tui.screens.report import Report
from evaltui.tui.screens.theme_picker import ThemePicker
from evaltui.tui.screens.trust import Trust
from evaltui.tui.themes import load_theme_named
from tests.driver import driving
from tests.tui.fake_session import FakeEdit, FakeSession

CHOICES = [Choice("one", "One", "o"), Choice("two", "Two", "t")]
MANY = [Choice(f"n{number}", f"Number {number}") for number in range(12)]
FIELD = ConfigField("pattern", FieldKind.TEXT, "a")
DIALOGS: list[tuple[Callable[[], Dialog[Any]], str, Any]] = [
    (lambda: Prompt("name", "x"), "enter", "x"),
    (lambda: Picker("pick", CHOICES), "enter", "one"),
    (lambda: Picker("pick", MANY), "enter", "n0"),
    (lambda: Menu("menu", CHOICES), "t", "two"),
    (lambda: ConfigForm("form", "", [FIELD], lambda texts: (dict(texts), ())), "enter", None),
    (lambda: Preview(FakeEdit(), Path()), "enter", True),  # type: ignore[arg-type]
    (lambda: Trust([Grant("run", "a program", "d")], is_agreed=False), "y", True),
]


async def test_what_is_answered_twice_at_once_is_answered_once_and_alone() -> None:
    async with driving(FakeSession()) as driver:
        for make, key, wanted in DIALOGS:
            below = Report("below", ["it stays"])
            answers: list[Any] = []
            driver.app.push_screen(below)
            driver.app.dashboard.controller.ask(make(), answers.append)
            await driver.settle()
            for _ in range(3):
                driver.app.post_message(Key(key, key if len(key) == 1 else None))
            await driver.settle()
            assert driver.app.screen is below
            assert answers == [{"pattern": "a"} if wanted is None else wanted]
            await driver.press("escape")
            assert len(driver.app.screen_stack) == 1


async def test_what_is_closed_already_takes_nothing_back() -> None:
    async with driving(FakeSession()) as driver:
        before = driver.app.theme
        driver.app.register_theme(load_theme_named("light").theme())
        dialog = ThemePicker([Choice("light", "Light")], before)
        driver.app.dashboard.controller.ask(dialog, lambda _: None)
        await driver.settle()
        assert driver.app.theme == "light" != before
        dialog.dismiss("light")
        dialog.action_close()
        await driver.settle()
        assert driver.app.theme == "light"
