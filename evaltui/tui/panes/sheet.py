"""A reading pane over one page of lines; subclasses write the lines."""

import time
from typing import Self

from textual.app import ComposeResult
from textual.timer import Timer

from evaltui.core.case import CaseKey
from evaltui.tui.pane import ReadingPane
from evaltui.tui.panes.page import Page
from evaltui.tui.render.line import Folds
from evaltui.tui.render.text_builder import TextBuilder

LATER_S = 0.4
AT_ONCE_S = 0.008
"""What takes no longer to write is written with the frame in which it changed."""


class SheetPane(ReadingPane):
    """Repaints as a whole: a page holds some hundred lines, and draws those in sight."""

    DEFAULT_CSS = "SheetPane { layout: vertical; }"

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.folds = Folds()
        self.begins_at: str | None = ""
        """Where the next painting begins reading; `None` stays where the reader is."""
        self._later: Timer | None = None
        self._took_s = 0.0
        """How long writing it took the last time, of this thread's own time."""
        self._written_for = 0
        """Width of the page when it was last written."""

    def compose(self) -> ComposeResult:
        yield Page(self.look)

    def write(self, builder: TextBuilder) -> None:
        """Everything that is to be read, at the width of the builder."""
        raise NotImplementedError

    def chosen(self, anchor: str) -> None:
        """Enter on a line that folds nothing."""

    @property
    def sheet(self) -> Page:
        return self.query_one(Page)

    @property
    def is_ready(self) -> bool:
        """Whether its size is known, so that lines can be written for it."""
        return self.is_mounted and self.size.width > 0 and hasattr(self, "session")

    def paint(self) -> None:
        """Write again, once the size is known; the reader stays where `begins_at` says nothing."""
        if not self.is_ready:
            return
        if self._later is not None:
            self._later.stop()
            self._later = None
        began = time.thread_time()
        look = self.look
        sheet = self.sheet
        self._written_for = sheet.size.width
        builder = TextBuilder(look, (sheet.size.width or self.size.width) - 1, self.folds)
        self.write(builder)
        sheet.put(builder.lines, look, anchor=self.begins_at)
        self.begins_at = None
        self._took_s = time.thread_time() - began

    def begin(self, anchor: str) -> None:
        """Something else to read: from `anchor` on, and without what was searched for."""
        self.begins_at = anchor
        self.folds.is_all_open = False
        if self.is_mounted:
            self.sheet.search = ""
        self.paint()

    def rebuild(self) -> None:
        self.paint()

    def notify_style_update(self) -> None:
        """Another theme: the lines carry the colours of the one before."""
        super().notify_style_update()
        if self.is_ready and self.sheet.look is not self.look:
            self.paint()

    def paint_soon(self) -> None:
        """For what is gathered from all cases, of which a run changes many a second: at once, but
        where that took long the last time."""
        if self._took_s <= AT_ONCE_S:
            self.paint()
        elif self._later is None and self.is_ready and self.display:
            self._later = self.set_timer(LATER_S, self._paint_later)

    def show(self, key: CaseKey | None) -> None:
        """The page is about more than one case."""

    def on_mount(self) -> None:
        self.paint()

    def on_resize(self) -> None:
        self.paint()

    def on_show(self) -> None:
        self.paint()

    def on_page_fold_wanted(self, event: Page.FoldWanted) -> None:
        event.stop()
        self.folds.state[event.fold] = event.pages
        self.folds.is_all_open = False
        self.paint()

    def on_page_resized(self, event: Page.Resized) -> None:
        """The page may get its size later than the pane: what is too wide would be cut."""
        event.stop()
        if self.is_ready and self.sheet.size.width != self._written_for:
            self.paint()

    def on_page_chosen(self, event: Page.Chosen) -> None:
        event.stop()
        self.chosen(event.anchor)

    def _paint_later(self) -> None:
        self._later = None
        self.paint()

    # --- what the keys ask for

    def move(self, by: int) -> None:
        self.sheet.move(by)

    def scroll_text(self, by: int) -> None:
        self.sheet.scroll_lines(by)

    def page(self, by: int) -> None:
        self.sheet.page(by)

    def go(self, index: int) -> None:
        self.sheet.go(index)

    def fold(self, is_folded: bool) -> bool:
        return self.sheet.fold() if is_folded else self.sheet.unfold()

    def on_opened(self) -> None:
        self.sheet.open()

    @property
    def has_matches(self) -> bool:
        return bool(self.sheet.matches)

    def search(self, text: str) -> int:
        """Also in what is folded: everything is open while something is searched for."""
        if self.folds.is_all_open is not bool(text):
            self.folds.is_all_open = bool(text)
            self.sheet.search = ""
            self.paint()
        return self.sheet.look_for(text)

    def next_match(self, step: int) -> bool:
        return self.sheet.find(step)

    def copy_text(self) -> str:
        return self.sheet.copied

    def focus(self, scroll_visible: bool = True) -> Self:
        self.sheet.focus(scroll_visible)
        return self
