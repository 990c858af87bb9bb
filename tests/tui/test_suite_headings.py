"""The cursor on the heading of a suite in the list of cases: what is shown, what keys are about."""

from pathlib import Path

import pytest

from evaltui.core.events import CaseMuted
from evaltui.tui.actions.evaluators import no_target
from tests.driver import Driver, driving
from tests.sample_project import at_the_line, copy_samples
from tests.tui import scene
from tests.tui.fake_session import FakeSession

SUITES = scene.suites(48)


async def to_heading(driver: Driver) -> str:
    """Id of the suite on whose heading the cursor comes to be."""
    await driver.press("2", "g")
    cases = driver.app.dashboard.controller.layout.cases
    assert cases.suite
    return cases.suite


@pytest.mark.parametrize("width", [120, 100, 80])
async def test_its_page_is_shown_until_the_cursor_is_on_a_case(width: int) -> None:
    host = FakeSession(on_open=tuple(scene.opened(SUITES)))
    async with driving(host, size=(width, 40)) as driver:
        suite = await to_heading(driver)
        (line,) = (one for one in driver.lines if one.startswith("›"))
        assert suite in line
        if width > 80:
            driver.sees(f"3 Detail {suite}")
        controller = driver.app.dashboard.controller
        assert controller.layout.detail.suite == suite
        assert no_target(controller) is None
        driver.misses("No case is under the cursor")
        await driver.press("j")
        assert controller.row is not None and not controller.layout.detail.suite


async def test_evaluators_are_those_of_the_suite(tmp_path: Path) -> None:
    async with at_the_line(copy_samples(tmp_path / "samples")) as line:
        await line.driver.resize(120, 40)
        suite = await to_heading(line.driver)
        await line.driver.press("V")
        line.driver.sees("Evaluators of", suite.rsplit("/", 1)[-1], "cases", "Add an evaluator")


async def test_what_a_filter_hides_is_not_meant_by_the_heading(tmp_path: Path) -> None:
    async with at_the_line(copy_samples(tmp_path / "samples")) as line:
        driver = line.driver
        await driver.resize(120, 40)
        await to_heading(driver)
        cases = driver.app.dashboard.controller.layout.cases
        first, *others = cases.keys_below
        driver.app.dashboard.controller.apply_filter(f"!{first.case}")
        assert cases.row is not None and cases.row.key in others, "not on its heading"
        await driver.press("g")
        assert {*cases.selection} == {*others}
        await driver.press("V")
        driver.sees(f"{len(others)} cases, those shown")


async def test_the_key_that_mutes_is_about_the_cases_below_it() -> None:
    host = FakeSession(on_open=tuple(scene.opened(SUITES)))
    async with driving(host, size=(100, 40)) as driver:
        suite = await to_heading(driver)
        controller = driver.app.dashboard.controller
        first, *others = keys = controller.layout.cases.keys_below
        await driver.hear(CaseMuted(first, "known"))
        await driver.press("m")
        driver.sees(f"Mute {len(others)} case", f"of {suite}: why?")
        await driver.write("flaky")
        await driver.press("enter")
        assert driver.requested("mute") == [("flaky", *others)], "one step, and not what is muted"
        assert [controller.board.rows[key].muted for key in keys] == [
            "known",
            *["flaky"] * len(others),
        ]
        await driver.press("m")
        assert driver.requested("unmute") == [keys]
        driver.sees(f"{len(keys)} cases count again")
        assert not any(controller.board.rows[key].muted for key in keys)


async def test_a_heading_of_the_last_save_mutes_nothing() -> None:
    host = FakeSession(on_open=tuple(scene.opened(SUITES)))
    async with driving(host, size=(100, 40)) as driver:
        await driver.press("m")
        driver.sees("Mute")
        await driver.press("escape")
        await driver.hear(*scene.run(scene.cases_of(SUITES)[:12]))
        await driver.press("2", "g")
        controller = driver.app.dashboard.controller
        assert controller.layout.cases.saved_group is not None
        await driver.press("m")
        driver.sees("Mute: go to a case, or to the heading of")
