"""Scroll bars for ASCII-only terminals: whole cells that differ in colour."""

from typing import Any, ClassVar

from textual.containers import ScrollableContainer
from textual.screen import Screen
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBarRender


class PlainBar(ScrollBarRender):
    """Has no glyphs for parts of a cell."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "] * 8
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "] * 8


def use_plain_bars(screen: Screen[Any]) -> None:
    """For every widget that is on the screen now and can scroll."""
    for widget in screen.query("*"):
        if isinstance(widget, (ScrollView, ScrollableContainer)):
            widget.vertical_scrollbar.renderer = PlainBar  # type: ignore[misc]
