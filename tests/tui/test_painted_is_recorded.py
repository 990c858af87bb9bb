"""What is painted was recorded before, whatever becomes of the dashboard next."""

import pytest

from evaltui.store.changes import Changes
from evaltui.tui.layout import PaneLayout
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
