"""Accepting a description: what it said, what it says now, and the board that follows at once."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from evaltui.core.case import CaseKey
from evaltui.core.events import ProjectRead
from evaltui.core.file_edit import TextChange
from tests.driver import Driver, driving
from tests.tui import scene
from tests.tui.fake_session import FakeEdit, FakeSession

MADE = scene.suites(12, 2)
OLD = "Says the weather: today or tomorrow."


def session(before: str | None = OLD) -> FakeSession:
    text = TextChange("description of get_weather", before, "Says the weather, today only.")
    edit = FakeEdit(file=Path("/project/evals/get_weather.golden.json"), text=text)
    read, *others = scene.opened(MADE)
    assert isinstance(read, ProjectRead)
    host = FakeSession(on_open=[replace(read, outdated=(MADE[0].id,)), *others])

    def preview_accept(key: CaseKey, agent: str, what: str) -> FakeEdit:  # noqa: ARG001
        assert what == "description_hash"
        return edit

    host.edits.preview_accept = preview_accept
    return host


async def accept_description(driver: Driver) -> None:
    """On a case that passed, where there is nothing else to accept."""
    cases = driver.app.dashboard.controller.layout.cases
    cases.go_to(next(case.key for case in MADE[0].cases if case.id.endswith("000")))
    await driver.press("u")


async def test_the_preview_shows_both_descriptions_and_not_two_hashes_alone() -> None:
    async with driving(session()) as driver:
        await accept_description(driver)
        driver.sees(
            "evals/get_weather.golden.json",
            "description of get_weather",
            "- Says the weather: today or tomorrow.",
            "+ Says the weather, today only.",
        )
        driver.misses("/project/evals")
        await driver.press("enter")
        assert len(driver.requested("apply")) == 1


@pytest.mark.slow
async def test_what_a_file_cannot_hold_stands_in_the_preview() -> None:
    host = session()
    left_out = ("Left out: the result of call 2 of `find`.",)
    still = ("It still fails: `find` was called but has no stub.",)
    host.edits.preview_accept = lambda *_: FakeEdit(left_out=left_out, still_fails=still)
    async with driving(host) as driver:
        await accept_description(driver)
        driver.sees("Left out: the result of call 2 of `find`.", *still)


async def test_words_that_differ_stand_out() -> None:
    async with driving(session()) as driver:
        await accept_description(driver)
        y, _ = driver.place("- Says the weather")
        strip = driver.app.screen._compositor.render_strips()[y]
        reversed_text = [part.text for part in strip if part.style and part.style.reverse]
        assert [text.strip() for text in reversed_text] == [":", "or tomorrow"]


async def test_a_description_nobody_read_is_said_to_be_unknown() -> None:
    async with driving(session(None)) as driver:
        await accept_description(driver)
        driver.sees("Its wording when the evals were written is not known", "today only.")
        driver.misses("- Says")


async def test_header_suites_and_detail_follow_in_one_frame() -> None:
    async with driving(session()) as driver:
        count = len(MADE[0].cases)
        driver.sees(f"⚠{count}", "outdated: this suite")
        for outdated in ((), (MADE[0].id,), ()):  # accepted, undone, done again
            driver.session.emit(ProjectRead(MADE, scene.registry(), (), outdated=outdated))
            driver.app.dashboard.controller.pump.flush()
            await driver.pilot.pause()
            (suite,) = [line[:30] for line in driver.lines if "get_we" in line[:30]]
            for shown in (driver.lines[0], suite):
                assert (f"⚠{count}" in shown) is bool(outdated), driver.text
            assert ("outdated: this suite" in driver.text) is bool(outdated)
