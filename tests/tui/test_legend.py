"""The help explains every sign that the screen can show."""

import pytest

from evaltui.tui.render import agent_counts, calls, glyphs, marks, problems, tools
from evaltui.tui.render.glyphs import Mark
from evaltui.tui.screens.palette import LEGEND
from tests.driver import driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession


def session() -> FakeSession:
    return FakeSession(on_open=list(scene.opened(scene.suites(12, 2))))


@pytest.mark.slow
async def test_a_sign_is_found_by_its_word_and_by_itself() -> None:
    async with driving(session()) as driver:
        await driver.press("question_mark")
        await driver.write("muted")
        driver.sees("⊘", "muted: its failures do not count")
        driver.misses("Nothing matches")
        await driver.press(*["backspace"] * 5)
        await driver.write("overlap")
        driver.sees("⇄", "overlap")
        await driver.press("enter")  # a sign is read and not run
        driver.sees("Help: keys and signs")


@pytest.mark.slow
async def test_the_signs_are_reached_by_scrolling_beyond_the_last_command() -> None:
    async with driving(session(), size=(100, 30)) as driver:
        last = f"{list(LEGEND['Signs of a tool'])[-1].word}"
        for key in ("pagedown", "down"):
            await driver.press("question_mark")
            presses = 0
            while last not in driver.text.splitlines()[-4] and presses < 150:
                await driver.press(key)
                presses += 1
            driver.sees("Signs of a tool", last)
            await driver.press("escape")


@pytest.mark.slow
async def test_in_ascii_the_signs_are_those_of_the_ascii_screen() -> None:
    async with driving(session(), is_ascii=True) as driver:
        await driver.press("question_mark")
        await driver.write("regressed")
        assert "v" in next(line for line in driver.lines if "passed in the baseline" in line)
        driver.misses("↓")


@pytest.mark.parametrize("module", [glyphs, marks, problems, tools, calls, agent_counts])
def test_every_mark_is_in_the_legend(module: object) -> None:
    said = {mark.glyph for group in LEGEND.values() for mark in group}
    for value in vars(module).values():
        found = [*value.values()] if isinstance(value, dict) else [value]
        for mark in found:
            if isinstance(mark, Mark):
                assert mark.glyph in said, mark
