"""The head of the detail is as high as its lines, however often the pane moves and is resized."""

import time

import pytest

from tests.driver import driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession


@pytest.mark.parametrize("rounds", [2, pytest.param(6, marks=pytest.mark.slow)])
async def test_nothing_is_blank_between_head_and_tabs(rounds: int) -> None:
    suites = scene.suites(48)
    session = FakeSession(on_open=list(scene.opened(suites, at=time.time())))
    async with driving(session, size=(148, 36)) as driver:
        await driver.hear(*scene.run(scene.cases_of(suites), at=time.time()))
        await driver.press("2", "n")
        heights = set()
        for width, height in [(84, 30), (148, 36), (60, 30), (120, 40)] * rounds:
            await driver.resize(width, height)
            head = driver.app.screen.query_one("DetailPane > .head")
            if not head.region:
                continue  # the pane has no room at this size
            shown = [line[head.region.x : head.region.right] for line in driver.lines]
            lines = shown[head.region.y : head.region.bottom]
            assert all(line.strip() for line in lines), f"{width}\n{driver.text}"
            heights.add(len(lines))
        assert len(heights) > 1
