"""One line of tabs: the chosen one stands in brackets, a click chooses another."""

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from evaltui.tui.panes.detail_tabs import Tab, tabs_of
from evaltui.tui.render.clip import width_of
from evaltui.tui.render.look import Look


class TabBar(Widget):
    DEFAULT_CSS = "TabBar { height: 1; }"
    ALLOW_SELECT = False

    class Chosen(Message):
        def __init__(self, tab: Tab) -> None:
            super().__init__()
            self.tab = tab

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look
        self.tab = Tab.DIFF
        self.tabs = tabs_of(False)
        self.note = ""
        """What the diff is against; stands at the right end where there is room."""

    def put(self, tab: Tab, tabs: tuple[Tab, ...], note: str, look: Look) -> None:
        self.tab, self.tabs, self.note, self.look = tab, tabs, note, look
        self.refresh()

    def render_line(self, y: int) -> Strip:
        if y:
            return Strip.blank(self.size.width, self.rich_style)
        segments: list[Segment] = []
        for _, _, text, is_chosen in self._places():
            style = self.look.style("strong" if is_chosen else "quiet", bold=is_chosen)
            segments.append(Segment(text, style))
        used = sum(width_of(segment.text) for segment in segments)
        gap = self.size.width - used - width_of(self.note)
        if self.note and gap > 0:
            segments += [Segment(" " * gap), Segment(self.note, self.look.style("quiet"))]
        strip = Strip(segments).apply_style(self.rich_style)
        return strip.adjust_cell_length(self.size.width, self.rich_style)

    def on_click(self, event: events.Click) -> None:
        for tab, start, text, _ in self._places():
            if start <= event.x < start + len(text):
                event.stop()
                self.post_message(self.Chosen(tab))

    def _places(self) -> list[tuple[Tab, int, str, bool]]:
        """Tab, first cell, text, whether it is the chosen one; short names where it is narrow."""
        tabs = self.tabs
        size = _longest(self.tab, tabs, self.size.width)
        places: list[tuple[Tab, int, str, bool]] = []
        at = 0
        for tab in tabs:
            is_chosen = tab is self.tab
            name = tab.value if is_chosen else tab.value[:size]
            text = f"[{name}]" if is_chosen else f" {name} "
            places.append((tab, at, text, is_chosen))
            at += len(text)
        return places


def _longest(chosen: Tab, tabs: tuple[Tab, ...], width: int) -> int:
    """Letters of a name that all but the chosen one may have."""
    for size in range(20, 1, -1):
        if sum(2 + (len(tab) if tab is chosen else min(size, len(tab))) for tab in tabs) <= width:
            return size
    return 1
