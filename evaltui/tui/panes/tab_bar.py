"""One line of tabs: the chosen one is in brackets, a click chooses another."""

from collections.abc import Mapping
from typing import NamedTuple

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from evaltui.tui.panes.detail_tabs import Tab, tabs_of
from evaltui.tui.render.clip import clip, width_of
from evaltui.tui.render.look import Look


class Spot(NamedTuple):
    """One tab as drawn: from which cell on, with which text."""

    tab: Tab
    start: int
    text: str
    is_chosen: bool


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
        """What the diff is against; at the right end where there is room."""

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
        note = [
            Segment(piece, self.look.style(of) if isinstance(of, str) else of)
            for piece, of in self.look.spans(self.note, "quiet")
        ]
        gap = self.size.width - used - sum(width_of(piece.text) for piece in note)
        if self.note and gap > 0:
            segments += [Segment(" " * gap), *note]
        strip = Strip(segments).apply_style(self.rich_style)
        return strip.adjust_cell_length(self.size.width, self.rich_style)

    def on_click(self, event: events.Click) -> None:
        for tab, start, text, _ in self._places():
            if start <= event.x < start + len(text):
                event.stop()
                self.post_message(self.Chosen(tab))

    def _places(self) -> list[Spot]:
        return lay_out_tabs(self.tab, self.tabs, self.size.width, self.look.symbols.cut)


def lay_out_tabs(chosen: Tab, tabs: tuple[Tab, ...], width: int, cut: str) -> list[Spot]:
    """Names with a blank on both sides; where it is narrow with one behind, then short ones, and at
    last clipped.

    The chosen one is never clipped.
    """
    names = {tab: tab.value for tab in tabs}
    is_tight = _fitting(chosen, names, width, 2) < _longest(names)
    size = _longest(names)
    if is_tight:  # the last blank may be left out
        size = _fitting(chosen, names, width + 1, 1)
        if size < _longest(names):
            names = {tab: tab.short_name for tab in tabs}
            size = _fitting(chosen, names, width + 1, 1)
    spots: list[Spot] = []
    at = 0
    for tab, whole in names.items():
        is_chosen = tab is chosen
        name = f"[{whole}]" if is_chosen else clip(whole, size, cut)
        text = f"{name} " if is_tight else name if is_chosen else f" {name} "
        spots.append(Spot(tab, at, text, is_chosen))
        at += len(text)
    return spots


def _longest(names: Mapping[Tab, str]) -> int:
    return max(map(len, names.values()))


def _fitting(chosen: Tab, names: Mapping[Tab, str], width: int, blanks: int) -> int:
    """Letters of a name that all but the chosen one may have, each with `blanks`."""
    brackets = 2 + (1 if blanks == 1 else 0)
    for size in range(_longest(names), 1, -1):
        others = sum(blanks + min(size, len(name)) for tab, name in names.items() if tab != chosen)
        if others + len(names[chosen]) + brackets <= width:
            return size
    return 1
