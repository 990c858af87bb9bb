"""A fall of an agent that is sampled is shown as moved, `↓?`, in the detail's head and its row."""

import time

import pytest
from msgspec.structs import replace

from evaltui.core.baseline import Baseline, BaselineCase
from evaltui.core.events import BaselinePinned, ProjectRead
from evaltui.core.result import CaseStatus
from tests.driver import driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession

CASE = "gs-get-weather-003"


def fallen(*, is_sampled: bool) -> FakeSession:
    """A case that failed and is pinned as passed."""
    made = scene.suites(48)
    (suite,) = (one for one in made if any(case.id == CASE for case in one.cases))
    pinned = {CASE: BaselineCase(CaseStatus.PASSED)}
    pins = (Baseline(suite.id, "run-0", "default", pinned, time.time() - 300),)
    sampled = (scene.AGENT,) if is_sampled else ()
    events = [
        replace(event, sampled=sampled) if isinstance(event, ProjectRead) else event
        for event in scene.opened(made, at=time.time() - 240)
        if not isinstance(event, BaselinePinned)
    ]
    return FakeSession(on_open=[*events, BaselinePinned(scene.AGENT, "default", pins)])


@pytest.mark.parametrize("is_sampled", [True, False])
async def test_the_head_of_the_detail_says_whether_a_fall_is_proven(is_sampled: bool) -> None:
    async with driving(fallen(is_sampled=is_sampled), size=(160, 45)) as driver:
        await driver.press("/")
        await driver.write(CASE)
        await driver.press("enter")
        head = next(line for line in driver.lines if "✗ failed" in line)
        assert ("↓? moved" in head) is is_sampled
        assert ("↓ regressed" in head) is not is_sampled
        assert ("↓?" in driver.row(CASE)) is is_sampled
