"""Hints in panes name the keys that are in force, and the footer those of what is typed in."""

from pathlib import Path

import pytest

from evaltui.core.config import Config
from evaltui.settings.keymap import make_keymap, spelled
from evaltui.tui.commands import remapped
from evaltui.tui.render.look import Look
from evaltui.tui.screens.menu import Menu
from evaltui.tui.screens.picker import Choice, Picker
from evaltui.tui.screens.prompt import Prompt
from tests.driver import driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession


def test_a_hint_names_the_key_in_force() -> None:
    keymap = make_keymap(own={"run.selection": "Q"})
    look = Look({}, keys=remapped(keymap))
    assert look.hint("`r` runs it; `b` pins; `get_weather` stays") == (
        "`Q` runs it; `b` pins; `get_weather` stays"
    )


def test_keys_and_code_have_a_style_of_their_own_where_there_is_colour() -> None:
    look = Look({"strong": "#ffffff"}, keys={"r": "Q"}, has_color=True)
    code = look.style("strong", bold=True)
    assert look.spans("`r` runs it; see `a.b`", "quiet") == [
        ("Q", code),
        (" runs it; see ", "quiet"),
        ("a.b", code),
    ]
    assert look.spans("one ` alone", "quiet") == [("one ` alone", "quiet")]
    assert look.spans("`r` and one ` alone", "quiet") == [
        ("Q", code),
        (" and one ` alone", "quiet"),
    ]


def test_without_colour_the_backticks_stay() -> None:
    assert Look({}).spans("`r` runs it", "quiet") == [("`r` runs it", "quiet")]


async def test_the_screen_styles_keys_in_its_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    for is_colored in (True, False):
        if not is_colored:
            monkeypatch.setenv("NO_COLOR", "1")
        async with driving(FakeSession(on_open=list(scene.opened(scene.suites(12, 2))))) as driver:
            y, _ = driver.place("passed in the pinned baseline")
            assert ("`d`" in driver.lines[y]) is not is_colored
            assert (": d compares" in driver.lines[y]) is is_colored


def test_without_changes_nothing_is_remapped() -> None:
    assert remapped(make_keymap()) == {}


@pytest.mark.parametrize("key", ["up", "shift+left", "ctrl+down"])
def test_arrows_are_spelled_out_in_ascii(key: str) -> None:
    assert spelled(key, is_ascii=True).isascii()
    assert not spelled(key).isascii() or spelled(key) == key


async def test_the_detail_and_the_footer_follow(tmp_path: Path) -> None:
    made = scene.suites(12, 2)
    session = FakeSession(
        config=Config(tmp_path, keys={"detail.against": "D"}), on_open=list(scene.opened(made))
    )
    async with driving(session) as driver:
        layout = driver.app.dashboard.controller.layout
        assert layout.header.look.keys == {"d": "D"}
        footer = layout.footer
        await driver.press("slash")
        typing = footer.render_line(0).text
        assert "Esc take back" in typing and "rerun" not in typing
        await driver.press("escape")
        assert "help" in footer.render_line(0).text


async def test_ctrl_click_chooses_and_the_cursor_stays_on_that_line(tmp_path: Path) -> None:
    session = FakeSession(config=Config(tmp_path), on_open=list(scene.opened(scene.suites(12, 2))))
    async with driving(session) as driver:
        cases = driver.app.dashboard.controller.layout.cases
        await driver.pilot.click("#cases", offset=(10, 4), control=True)
        await driver.settle()
        assert cases.row is not None
        assert list(cases.choice.keys) == [cases.row.key]


@pytest.mark.parametrize("is_colored", [True, pytest.param(False, marks=pytest.mark.slow)])
async def test_toasts_dialogs_and_menus_style_them_too(
    monkeypatch: pytest.MonkeyPatch, *, is_colored: bool
) -> None:
    if not is_colored:
        monkeypatch.setenv("NO_COLOR", "1")
    said = "see a.b [not markup]" if is_colored else "see `a.b` [not markup]"
    async with driving(FakeSession(on_open=list(scene.opened(scene.suites(12, 2))))) as driver:
        controller = driver.app.dashboard.controller
        controller.warn("see `a.b` [not markup]")
        await driver.settle()
        driver.sees(said)
        choices = [Choice("one", "see `a.b` [not markup]", "o", "not `this` time")]
        dialogs = (
            Prompt("title", hint="see `a.b` [not markup]"),
            Menu("title", choices),
        )
        for dialog in dialogs:
            controller.app.clear_notifications()
            controller.ask(dialog, lambda _: None)
            await driver.settle()
            driver.sees(said)
            await driver.press("escape")


async def test_a_choice_that_is_too_long_ends_with_a_mark() -> None:
    async with driving(FakeSession(on_open=list(scene.opened(scene.suites(12, 2))))) as driver:
        note = "a `note` " * 20
        driver.app.dashboard.controller.ask(Picker("t", [Choice("i", "it", "i", note)]), print)
        await driver.settle()
        y, _ = driver.place("it  a note a note")
        assert "a note…" in driver.lines[y]
