"""A dialog over a page of lines: read, unfolded, scrolled, closed."""

from collections.abc import Callable, Iterable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from evaltui.tui.panes.page import Page
from evaltui.tui.render.line import Folds
from evaltui.tui.render.text_builder import TextBuilder
from evaltui.tui.screens.dialog import ESC_CLOSES, Dialog, KeyWords
from evaltui.tui.themes import look_of


class SheetScreen(Dialog[str]):
    """`write` makes the lines for the width that there is."""

    is_tall = True
    DEFAULT_CSS = """
    SheetScreen.-tall > #box { width: 96%; height: 92%; }
    SheetScreen Page { background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "move(1)", show=False),
        Binding("k,up", "move(-1)", show=False),
        Binding("pagedown,ctrl+f", "page(1)", show=False),
        Binding("pageup,ctrl+b", "page(-1)", show=False),
        Binding("g,home", "go(0)", show=False),
        Binding("G,end", "go(1000000000)", show=False),
        Binding("n", "next_fold(1)", show=False),
        Binding("N", "next_fold(-1)", show=False),
        Binding("enter,space", "open", show=False),
        Binding("l,right", "unfold", show=False),
        Binding("h,left", "fold", show=False),
        Binding("q", "close", show=False),
    ]

    def __init__(self, title: str, write: Callable[[TextBuilder], None], folds: str = "") -> None:
        """`folds`: what the lines that unfold are, where there are any: `case`."""
        jumps = (KeyWords(f"n N next {folds}", "next_fold(1)"),) if folds else ()
        keys = (KeyWords("Enter unfolds", "open"), *jumps, KeyWords("j k move"), ESC_CLOSES)
        super().__init__(title, keys)
        self._write = write
        self._folds = Folds()

    def parts(self) -> Iterable[Widget]:
        yield Page(look_of(self.app))

    def on_mount(self) -> None:
        self.query_one(Page).focus()
        self._paint()

    def on_page_resized(self, event: Page.Resized) -> None:
        event.stop()
        page = self.query_one(Page)
        anchor = page.line.anchor if page.line is not None else ""
        self._paint()
        page.keep_in_sight(anchor)

    def on_page_fold_wanted(self, event: Page.FoldWanted) -> None:
        event.stop()
        self._folds.state[event.fold] = event.pages
        self._paint()
        page = self.query_one(Page)
        if event.pages:  # what was unfolded stands below the line
            page.scroll_to(y=max(0, page.cursor - 2), animate=False, immediate=True)

    def on_page_chosen(self, event: Page.Chosen) -> None:
        event.stop()

    def _paint(self) -> None:
        page = self.query_one(Page)
        if page.size.width > 1:
            builder = TextBuilder(look_of(self.app), page.size.width - 1, self._folds)
            self._write(builder)
            page.put(builder.lines, builder.look)

    def action_move(self, by: int) -> None:
        self.query_one(Page).move(by)

    def action_page(self, by: int) -> None:
        self.query_one(Page).page(by)

    def action_go(self, index: int) -> None:
        self.query_one(Page).go(index)

    def action_next_fold(self, step: int) -> None:
        self.query_one(Page).go_to_fold(step)

    def action_open(self) -> None:
        self.query_one(Page).open()

    def action_unfold(self) -> None:
        self.query_one(Page).unfold()

    def action_fold(self) -> None:
        self.query_one(Page).fold()
