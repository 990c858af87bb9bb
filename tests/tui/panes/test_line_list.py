"""A list that becomes longer or shorter than its pane is laid out once for it."""

import pytest
from rich.segment import Segment
from textual.screen import Screen

from evaltui.tui.panes.line_list import LineList
from evaltui.tui.panes.line_source import LineSource
from evaltui.tui.render.look import Look
from tests.tui.panes.stage import Stage, StagedSession


class Numbers(LineSource):
    count = 3

    def line(self, index: int, width: int, look: Look, cursor: str) -> list[Segment]:
        return [Segment(f"{index:<{width}}", look.style("", cursor or "background"))]


@pytest.mark.parametrize(("before", "after"), [(3, 200), (200, 3), (200, 300)])
async def test_the_scrollbar_comes_and_goes_with_the_lines(before: int, after: int) -> None:
    source = Numbers()
    pane = LineList(source, id="cases")
    app = Stage(pane, StagedSession())
    async with app.run_test(size=(40, 12)) as pilot:
        for source.count in (200, before):  # the first bar has to be mounted
            pane.lines_changed(0)
            await pilot.pause()
        assert pane.show_vertical_scrollbar is (before > 12)
        layouts: list[Screen[object]] = []
        app.screen.screen_layout_refresh_signal.subscribe(app, layouts.append)
        source.count = after
        pane.lines_changed(0)
        await pilot.pause()
        await pilot.pause()
        assert pane.show_vertical_scrollbar is (after > 12)
        assert pane.scrollable_content_region.width == (38 if after > 12 else 40)
        assert len(layouts) == 1
