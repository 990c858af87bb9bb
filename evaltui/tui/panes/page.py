"""A scrolling sheet of prepared lines with a cursor, folding, searching and copying."""

from collections.abc import Sequence

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from evaltui.tui.panes.page_drawing import PageDrawing
from evaltui.tui.panes.paint_cache import PaintCache
from evaltui.tui.render.line import Line
from evaltui.tui.render.look import Look


class Page(ScrollView, can_focus=True, inherit_bindings=False):
    """Draws only what is visible; whoever owns it makes the lines for the width it has."""

    ALLOW_SELECT = True
    DEFAULT_CSS = """
    Page { height: 1fr; scrollbar-gutter: stable; scrollbar-size-vertical: 1; }
    """

    class FoldWanted(Message):
        """Show `pages` of what the line folds: 0 folds it."""

        def __init__(self, fold: str, pages: int) -> None:
            super().__init__()
            self.fold = fold
            self.pages = pages

    class Chosen(Message):
        """Enter or a click on a line that folds nothing; `anchor` says what it is about."""

        def __init__(self, anchor: str) -> None:
            super().__init__()
            self.anchor = anchor

    class Moved(Message):
        """The cursor came to another line."""

    class Resized(Message):
        """Lines may be needed for another width."""

    def __init__(self, look: Look, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._drawing = PageDrawing(look)
        self.cursor = 0
        self.search = ""
        self.matches: list[int] = []
        self._matched: frozenset[int] = frozenset()
        self._painted = PaintCache()

    @property
    def look(self) -> Look:
        return self._drawing.look

    @property
    def lines(self) -> Sequence[Line]:
        return self._drawing.lines

    def put(self, lines: Sequence[Line], look: Look, *, anchor: str | None = None) -> None:
        """Show these lines; with an anchor begin there, without one stay where the reader is."""
        self._drawing.put(lines, look)
        self.virtual_size = Size(self.scrollable_content_region.width, len(lines))
        self._find()
        if anchor is not None:
            at = next((i for i, line in enumerate(lines) if anchor and line.anchor == anchor), 0)
            self.cursor = at
            height = self.scrollable_content_region.height
            self.scroll_to(y=max(0, at - max(1, height // 2)), animate=False, immediate=True)
        self.cursor = max(0, min(self.cursor, len(lines) - 1))
        size, top = self.scrollable_content_region.size, self.scroll_offset.y
        differing = self._painted.differing(self.scroll_offset, size, self._line_at)
        if differing is None:
            self.refresh()
            return
        for y in differing:
            self.refresh_line(top + y)

    def on_resize(self) -> None:
        self.post_message(self.Resized())

    def look_for(self, text: str) -> int:
        """Mark every line that has it and go to the first from here. Returns how many."""
        self.search = text
        self._find()
        if self.matches:
            self.go(next((i for i in self.matches if i >= self.cursor), self.matches[0]))
        self.refresh()
        return len(self.matches)

    def scroll_lines(self, lines: int) -> None:
        """Scroll wherever the focus is; the cursor goes along where it would leave the sight."""
        self.scroll_to(y=self.scroll_offset.y + lines, animate=False, immediate=True)
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        self.go(max(top, min(self.cursor, top + height - 1)))

    def render_line(self, y: int) -> Strip:
        size = self.scrollable_content_region.size
        return self._painted.keep(self.scroll_offset, size, y, self._line_at(y))

    def _line_at(self, y: int) -> Strip:
        at = self.scroll_offset.y + y
        width = self.scrollable_content_region.width
        selection = self.text_selection
        selected = selection.get_span(at) if selection is not None else None
        has_cursor = at == self.cursor and self.has_focus
        is_found = at in self._matched
        is_marked = has_cursor or is_found or selected is not None
        if not is_marked or not 0 <= at < len(self.lines):
            return self._drawing.plain(at, width)
        return self._drawing.marked(
            at,
            width,
            has_cursor=has_cursor,
            found=self.search if is_found else "",
            selected=selected,
            selection_style=self.screen.get_component_rich_style("screen--selection"),
        )

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        return selection.extract("\n".join(line.plain for line in self.lines)), "\n"

    def selection_updated(self, selection: Selection | None) -> None:  # noqa: ARG002
        self.refresh()

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        self.refresh()

    def move(self, by: int) -> None:
        self.go(self.cursor + by)

    def page(self, by: int) -> None:
        self.move(by * max(1, self.scrollable_content_region.height - 1))

    def go(self, index: int) -> None:
        """Put the cursor on a line and keep it in sight."""
        before, self.cursor = self.cursor, max(0, min(index, len(self.lines) - 1))
        if self.cursor != before:
            self.post_message(self.Moved())
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        if self.cursor < top:
            self.scroll_to(y=self.cursor, animate=False, immediate=True)
        elif self.cursor >= top + height:
            self.scroll_to(y=self.cursor - height + 1, animate=False, immediate=True)
        self.refresh()

    def keep_in_sight(self, anchor: str) -> None:
        """The lines were made for another size: the cursor goes to what it was on, by its anchor
        where it has one."""
        lines = enumerate(self.lines)
        self.go(next((i for i, line in lines if anchor and line.anchor == anchor), self.cursor))

    def open(self) -> None:
        """Enter: fold or unfold, else say which line was chosen."""
        line = self.line
        if line is None:
            return
        if line.fold:
            pages = line.pages + 1 if line.is_more or not line.pages else 0
            self.post_message(self.FoldWanted(line.fold, pages))
        else:
            self.post_message(self.Chosen(line.anchor))

    def unfold(self) -> bool:
        """Unfold what this line folds; False when it folds nothing or is open."""
        line = self.line
        if line is None or not line.fold or (line.pages and not line.is_more):
            return False
        self.post_message(self.FoldWanted(line.fold, line.pages + 1))
        return True

    def fold(self) -> bool:
        """Fold this line, or the fold it belongs to; False when there is nothing to fold."""
        for at in range(min(self.cursor, len(self.lines) - 1), -1, -1):
            line = self.lines[at]
            if line.fold and line.pages and not line.is_more:
                self.go(at)
                self.post_message(self.FoldWanted(line.fold, 0))
                return True
        return False

    def find(self, step: int) -> bool:
        """Go to the next match, or with -1 to the one before, round and round."""
        if not self.matches:
            return False
        beyond = [i for i in self.matches[::step] if (i - self.cursor) * step > 0]
        self.go(beyond[0] if beyond else self.matches[::step][0])
        return True

    def go_to_fold(self, step: int) -> bool:
        """Go to the next line that unfolds, or with -1 to the one before. False without one."""
        folds = [i for i, line in enumerate(self.lines) if line.fold][::step]
        beyond = next((i for i in folds if (i - self.cursor) * step > 0), None)
        if beyond is not None:
            self.go(beyond)
        return beyond is not None

    @property
    def copied(self) -> str:
        """What copying on this line yields: the whole value, or the line's own text."""
        line = self.line
        if line is None:
            return ""
        return line.copy() if line.copy else line.plain.strip()

    @property
    def line(self) -> Line | None:
        """The line under the cursor."""
        return self.lines[self.cursor] if 0 <= self.cursor < len(self.lines) else None

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if at is None or self.text_selection is not None:
            return
        target = self.scroll_offset.y + at.y
        if target < len(self.lines):
            self.go(target)
            if self.lines[target].fold or event.chain > 1:
                self.open()

    def _find(self) -> None:
        wanted = self.search.casefold()
        self.matches = (
            [i for i, line in enumerate(self.lines) if wanted in line.plain.casefold()]
            if wanted
            else []
        )
        self._matched = frozenset(self.matches)
