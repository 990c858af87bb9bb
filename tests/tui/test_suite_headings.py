"""The cursor on the heading of a suite in the list of cases: what is shown, what keys are about."""

from pathlib import Path

import pytest

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
