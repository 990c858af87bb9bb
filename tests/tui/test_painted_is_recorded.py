"""What is painted was recorded before, whatever becomes of the dashboard next."""

from typing import Any

import pytest

from evaltui.store.changes import Changes
from evaltui.tui.layout import PaneLayout
from evaltui.tui.panes.case_lines import CaseLines
from tests.driver import driving
from tests.tui import scene
from tests.tui.fake_session import FakeSession


async def test_the_journal_comes_before_each_paint(monkeypatch: pytest.MonkeyPatch) -> None:
    made = scene.suites(20)
    session = FakeSession(on_open=list(scene.opened(made)))
    painted: list[int] = []
    refresh = PaneLayout.refresh_from

    def looked_at(self: PaneLayout, changes: Changes) -> None:
        painted.append(session.unrecorded)
        refresh(self, changes)

    async with driving(session) as driver:
        await driver.settle()
        monkeypatch.setattr(PaneLayout, "refresh_from", looked_at)
        session.emit(*scene.run(scene.cases_of(made)))
        assert session.unrecorded
        await driver.settle()
    assert painted and not any(painted)


async def test_a_row_that_is_painted_for_another_reason_is_recorded_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = scene.suites(20)
    session = FakeSession(on_open=list(scene.opened(made)))
    drawn: list[int] = []
    draw = CaseLines.line

    def looked_at(self: CaseLines, *args: Any) -> Any:
        drawn.append(session.unrecorded)
        return draw(self, *args)

    async with driving(session) as driver:
        pump = driver.app.dashboard.controller.pump
        monkeypatch.setattr(pump, "wake", lambda: None)
        monkeypatch.setattr(CaseLines, "line", looked_at)
        session.emit(*scene.run(scene.cases_of(made)))
        assert session.unrecorded
        driver.app.dashboard.controller.layout.cases.refresh()
        await driver.pilot.pause()
    assert drawn and not any(drawn)
