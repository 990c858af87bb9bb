"""Sizes that come faster than they are painted: the last one stays, and no other comes back."""

import pytest
from textual.events import Resize
from textual.geometry import Size

from evaltui.tui.screens.report import Report
from tests.driver import driving
from tests.tui.fake_session import FakeSession

ENDLESS = 10


@pytest.mark.parametrize("is_dialog", [False, True])
async def test_a_screen_is_laid_out_for_the_size_that_there_is(
    is_dialog: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with driving(FakeSession()) as driver:
        if is_dialog:
            driver.app.push_screen(Report("a", ["b"]))
            await driver.settle()
        screen, size = driver.app.screen, driver.app.size
        laid_out: list[Size] = []

        def note(_: object) -> None:
            laid_out.append(screen._compositor.size)
            if len(laid_out) > ENDLESS:
                monkeypatch.setattr(screen, "_screen_resized", lambda _: None)

        screen.screen_layout_refresh_signal.subscribe(screen, note, immediate=True)
        for one in (Size(60, 20), size):
            screen.post_message(Resize(one, one))
            screen.call_later(lambda: None)  # else Textual takes the later one for both
        await driver.settle()
        assert set(laid_out) == {size}
