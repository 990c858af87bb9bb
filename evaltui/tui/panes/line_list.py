"""A list of any length with a cursor: only visible lines are ever made, one by one."""

from collections.abc import Iterable

from msgspec import Struct
from textual import events
from textual.geometry import Offset, Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from evaltui.tui.pane import Pane
from evaltui.tui.panes.line_source import LineSource
from evaltui.tui.panes.paint_cache import PaintCache
from evaltui.tui.render.empty_states import empty_line
from evaltui.tui.render.look import Look
from evaltui.tui.sessions.session_protocol import SessionProtocol


class Viewport(Struct, frozen=True):
    """What is visible: the same for all lines of one paint."""

    size: Size
    offset: Offset
    head: int
    count: int
    """Lines that there are."""
    look: Look


class LineList(ScrollView, Pane, can_focus=True, inherit_bindings=False):
    """Shows a `LineSource`; panes override `on_moved` and the like to learn what is done in it."""

    ALLOW_SELECT = False

    def __init__(self, source: LineSource, *, id: str) -> None:
        super().__init__(id=id, classes="pane")
        self.source = source
        self.cursor = 0
        self._painted = PaintCache()
        self._viewport: Viewport | None = None

    def attach(self, session: SessionProtocol, agent: str) -> None:
        super().attach(session, agent)
        self.source.attach(session, agent)

    @property
    def head_rows(self) -> int:
        """Lines above the others that do not scroll."""
        return self.source.head_rows(self.scrollable_content_region.height)

    def on_head_clicked(self, x: int) -> None:
        """A click on the lines that do not scroll."""

    def on_moved(self) -> None:
        """The cursor came to another line."""

    def on_picked(self, index: int, event: events.Click) -> None:
        """A click, after the cursor went there."""

    def lines_changed(self, cursor: int, screen_line: int | None = None) -> None:
        """Other lines: put the cursor on `cursor`, if possible at the same line of the screen."""
        # The width never matters; one that changed with the pane would lay everything out again.
        self.virtual_size = Size(1, self.source.extent + self.head_rows)
        self._foresee_bar()
        self.cursor = max(0, min(cursor, self.source.count - 1))
        if screen_line is not None:
            self.scroll_to(y=self.cursor - screen_line, animate=False, force=True)
        self._follow()
        self._refresh_differing()

    def _foresee_bar(self) -> None:
        """Show or hide the scrollbar now: found out by the layout, it would have everything laid
        out and drawn a second time."""
        if not self.size.height:  # not laid out yet
            self.show_vertical_scrollbar |= self.source.extent > self.app.size.height
            return
        is_long = self.virtual_size.height > self.container_size.height
        if is_long is not self.show_vertical_scrollbar:
            self.show_vertical_scrollbar = self.vertical_scrollbar.display = is_long

    def refresh_index(self, *indexes: int) -> None:
        """Paint lines again, those that are in viewport."""
        top, head = self.scroll_offset.y, self.head_rows
        bottom = top + self._line_rows
        self._refresh_lines(index - top + head for index in indexes if top <= index < bottom)

    @property
    def in_sight(self) -> range:
        """Indexes of the lines that are in viewport."""
        top = self.scroll_offset.y
        return range(top, min(top + self._line_rows, self.source.count))

    def refresh_head(self) -> None:
        """Paint the lines again that do not scroll."""
        self._refresh_lines(range(self.head_rows))

    @property
    def screen_line(self) -> int:
        """Line of the cursor from the top of what is in viewport."""
        return self.cursor - self.scroll_offset.y

    def move(self, by: int) -> None:
        self.go(self.cursor + by)

    def page(self, by: int) -> None:
        self.move(by * max(1, self._line_rows - 1))

    def go(self, index: int) -> None:
        """Put the cursor on a line and keep it in viewport."""
        index = max(0, min(index, self.source.count - 1))
        if index == self.cursor:
            return
        before, self.cursor = self.cursor, index
        self.refresh_index(before)
        self._follow()
        self.refresh_index(index)
        self.on_moved()

    def render_lines(self, crop: Region) -> list[Strip]:
        # A row is painted as it is by now: with what came since the pump told of changes, too.
        self.session.flush()
        # Textual works its regions out each time it is asked: for every line that takes longer
        # than to write it.
        self._viewport = self._make_viewport()
        try:
            return super().render_lines(crop)
        finally:
            self._viewport = None

    def render_line(self, y: int) -> Strip:
        viewport = self._viewport or self._make_viewport()
        return self._painted.keep(viewport.offset, viewport.size, y, self._draw(y, viewport))

    def _refresh_differing(self) -> None:
        viewport = self._make_viewport()
        differing = self._painted.differing(
            viewport.offset, viewport.size, lambda y: self._draw(y, viewport)
        )
        if differing is None:
            self.refresh()
            return
        self._refresh_lines(differing)

    def _refresh_lines(self, ys: Iterable[int]) -> None:
        """Paint these lines of the pane again: told one by one, Textual takes note of each."""
        width = max(self.virtual_size.width, self.size.width)
        if regions := [Region(0, y, width, 1) for y in ys]:
            self.refresh(*regions)

    def _make_viewport(self) -> Viewport:
        size = self.scrollable_content_region.size
        return Viewport(size, self.scroll_offset, self.head_rows, self.source.count, self.look)

    def _draw(self, y: int, viewport: Viewport) -> Strip:
        width, head, look = viewport.size.width, viewport.head, viewport.look
        if y < head:
            return Strip(self.source.head(y, width, look), width)
        if viewport.count == 0:
            return Strip(empty_line(self.source.empty_state(), y - head, width, look), width)
        index = y - head + viewport.offset.y
        if index >= viewport.count:
            below = [look.hint(sentence) for sentence in self.source.after_last()]
            if not below:
                return Strip.blank(width, look.style("", "background"))
            return Strip(empty_line(below, index - viewport.count, width, look), width)
        cursor = self._cursor_variable if index == self.cursor else ""
        return Strip(self.source.line(index, width, look, cursor), width)

    def on_resize(self) -> None:
        self._follow()

    def on_focus(self) -> None:
        self.refresh_index(self.cursor)

    def on_blur(self) -> None:
        self.refresh_index(self.cursor)

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        if offset.y < self.head_rows:
            event.stop()
            self.on_head_clicked(offset.x)
            return
        index = offset.y - self.head_rows + self.scroll_offset.y
        if index >= self.source.count:
            return
        event.stop()
        if not event.shift:
            self.go(index)
        self.on_picked(index, event)
        if event.shift:
            self.go(index)
        if event.chain == 2:
            self.on_opened()

    @property
    def _cursor_variable(self) -> str:
        return "cursor" if self.has_focus else "cursor-blurred"

    @property
    def _line_rows(self) -> int:
        return max(0, self.scrollable_content_region.height - self.head_rows)

    def _follow(self) -> None:
        top, rows = self.scroll_offset.y, self._line_rows
        if rows <= 0:
            return
        if self.cursor < top:
            self.scroll_to(y=self.cursor, animate=False, force=True)
        elif self.cursor >= top + rows:
            self.scroll_to(y=self.cursor - rows + 1, animate=False, force=True)
