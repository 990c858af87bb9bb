"""What is copied: by `y`, from the menu of `Y`, and what the mouse selected."""

import json

import pytest
from textual.selection import SELECT_ALL

from evaltui.tui.command_line import run_again
from evaltui.tui.panes.detail import DetailPane
from tests.driver import driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession


def session() -> FakeSession:
    return FakeSession(on_open=[*scene.opened(scene.suites(48))])


@pytest.mark.parametrize(
    "thing",
    [
        "Diff",
        *(
            pytest.param(one, marks=pytest.mark.slow)
            for one in ("Id", "Message", "Reason", "Actual calls with parameters", "Command")
        ),
    ],
)
async def test_each_line_of_the_menu_copies_what_it_says(thing: str) -> None:
    host = session()
    async with driving(host) as driver:
        controller = driver.app.dashboard.controller
        row = controller.row
        assert row is not None and row.result is not None and row.result.response is not None
        diff = controller.layout.detail.diff_text()
        assert "matched" in diff
        await driver.press("Y")
        await driver.click(thing, within=driver.app.screen.query_one("#box").region)
        copied = driver.app.clipboard
    if thing == "Actual calls with parameters":
        (call,) = row.result.response.tool_calls
        assert json.loads(copied) == [{"tool": call.name, "params": call.params}]
    else:
        assert (
            copied
            == {
                "Id": row.key.case,
                "Message": row.case.message,
                "Reason": row.result.error,
                "Diff": diff,
                "Command": run_again(host.config, row.key, scene.AGENT),
            }[thing]
        )
    assert copied


async def test_in_the_detail_it_is_the_line_under_the_cursor() -> None:
    async with driving(session()) as driver:
        await driver.press("3", "j")
        line = driver.app.dashboard.controller.layout.detail.copy_text()
        row = driver.app.dashboard.controller.row
        assert line and row is not None and row.case.message not in line
        await driver.press("y")
        assert driver.app.clipboard == line
        await driver.press("2", "y")
        assert driver.app.clipboard == f"{row.key.case}: {row.case.message}"


async def test_ctrl_c_copies_what_is_selected_and_cancels_nothing() -> None:
    async with driving(session()) as driver:
        await driver.hear(*scene.run(scene.cases_of(scene.suites(48)), done=4))
        sheet = driver.app.dashboard.query_one(DetailPane).sheet
        driver.app.screen.selections = {sheet: SELECT_ALL}
        await driver.press("ctrl+c")
        assert driver.app.clipboard == "\n".join(line.plain for line in sheet.lines)
        assert not driver.requested("cancel")
        assert not driver.app.screen.selections
        await driver.press("ctrl+c")
        assert driver.requested("cancel") == [()]
