"""The cursor on the heading of what the last save did: the detail says what that group is."""

from evaltui.core.events import CaseMuted
from evaltui.tui.order import SAVE_GROUPS
from evaltui.tui.panes.detail import DetailPane
from evaltui.tui.render.group_page import MEANING
from tests.driver import driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession

SUITES = scene.suites(48)


def test_each_group_says_what_it_is() -> None:
    assert MEANING.keys() == {*SAVE_GROUPS}


async def test_its_page_has_its_counts_keys_and_cases_until_the_cursor_is_on_a_case() -> None:
    async with driving(FakeSession(on_open=tuple(scene.opened(SUITES))), size=(160, 45)) as driver:
        controller = driver.app.dashboard.controller
        detail = driver.app.dashboard.query_one(DetailPane)
        await driver.hear(*scene.run(scene.cases_of(SUITES)[:16]))
        await driver.press("2", "g")
        while "STILL FAILING" not in detail.count:
            await driver.press("j")
        first, *_ = keys = controller.selection
        page = [line.plain.strip() for line in detail.sheet.lines]
        driver.sees("3 Detail STILL FAILING", first.case)
        assert page[:3] == ["STILL FAILING", "2 cases  ✗2 · ↓1", "They failed before and fail now."]
        assert "r reruns these cases" in page
        assert sum(any(key.case in line for line in page) for key in keys) == len(keys) == 2
        await driver.hear(CaseMuted(first, "known"))
        assert detail.sheet.lines[1].plain.strip() == "1 case  ✗1", "it is followed"
        await driver.press("j")
        assert controller.row is not None and not detail.has_page
