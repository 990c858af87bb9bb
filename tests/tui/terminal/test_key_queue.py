"""Keys that come in one write of the terminal mean what they mean one after another."""

from typing import Any

import pytest
from textual.events import Key
from textual.widgets import Input

from evaltui.evaluators.config_fields import ConfigField, FieldKind
from evaltui.tui.screens.config_form import ConfigForm
from evaltui.tui.screens.picker import Choice, Picker
from evaltui.tui.screens.prompt import Prompt
from tests.driver import Driver, driving, until
from tests.tui import scene
from tests.tui.fake_session import FakeSession

FIELDS = [ConfigField("max", FieldKind.TEXT), ConfigField("words", FieldKind.JSON)]


def session() -> FakeSession:
    return FakeSession(on_open=list(scene.opened(scene.suites(48))))


def form() -> ConfigForm:
    return ConfigForm("form", "", FIELDS, lambda texts: (dict(texts), ()))


async def burst(driver: Driver, *keys: str) -> None:
    """One write; a single character is what it types."""
    for key in keys:
        driver.app.post_message(Key(key, key if len(key) == 1 else None))
    await driver.settle()


async def test_what_closes_a_form_does_not_overtake_what_was_typed_into_it() -> None:
    async with driving(session()) as driver:
        answers: list[Any] = []
        driver.app.dashboard.controller.ask(form(), answers.append)
        await driver.settle()
        await burst(driver, *"12345", "tab", *'["a"]', "ctrl+s")
        await until(driver.pilot, lambda: bool(answers))
        assert answers == [{"max": "12345", "words": '["a"]'}]


@pytest.mark.slow
async def test_a_dialog_gets_what_is_typed_behind_the_key_that_opens_it() -> None:
    async with driving(session()) as driver:
        answers: list[Any] = []
        controller = driver.app.dashboard.controller

        def ask_more(_: str) -> None:
            controller.ask(form(), answers.append)

        controller.ask(Picker("pick", [Choice("one", "One"), Choice("two", "Two")]), ask_more)
        await burst(driver, *"two", "enter", *"abc", "ctrl+s")
        await until(driver.pilot, lambda: bool(answers))
        assert answers == [{"max": "abc", "words": ""}]
        controller.ask(Prompt("name", ""), answers.append)
        await burst(driver, *"name", "enter")
        assert answers[1:] == ["name"]


async def test_what_follows_the_key_of_the_filter_is_typed_into_it() -> None:
    async with driving(session()) as driver:
        await burst(driver, *"/book")
        assert driver.app.screen is driver.app.dashboard
        assert driver.app.dashboard.query_one(Input).value == "book"
        await burst(driver, "escape", *"/w1", "enter", "j")
        assert not driver.app.dashboard.query(Input)
        driver.sees("w1")


async def test_a_terminal_that_is_resized_takes_no_filter_away() -> None:
    async with driving(session()) as driver:
        await burst(driver, *"/bo")
        await driver.pilot.resize_terminal(60, 20)
        await driver.pilot.pause()
        await burst(driver, *"ok")
        assert driver.app.dashboard.query_one(Input).value == "book"


async def test_a_widget_that_goes_away_holds_no_key_up() -> None:
    async with driving(session()) as driver:
        controller = driver.app.dashboard.controller
        answers: list[Any] = []
        controller.ask(form(), answers.append)
        await driver.settle()
        driver.app.post_message(Key("a", "a"))
        driver.app.screen.query_one(Input).remove()
        await driver.settle()
        await burst(driver, "escape")
        await until(driver.pilot, lambda: driver.app.screen is driver.app.dashboard)
        await burst(driver, *"/x")
        assert driver.app.dashboard.query_one(Input).value == "x"
