"""How one line of a page is drawn: with or without the cursor, matches of a search, a selection."""

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from evaltui.tui.render.clip import width_of
from evaltui.tui.render.line import Line
from evaltui.tui.render.look import Look


class PageDrawing:
    """Keeps lines as they are drawn without any of these, until others are put or the width
    changes."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.lines: Sequence[Line] = ()
        self._width = 0
        self._plain: dict[int, Strip] = {}

    def put(self, lines: Sequence[Line], look: Look) -> None:
        self.look, self.lines = look, lines
        self._plain.clear()

    def plain(self, at: int, width: int) -> Strip:
        """A line without marks; blank beyond the last."""
        if width != self._width:
            self._plain.clear()
            self._width = width
        if not 0 <= at < len(self.lines):
            return Strip.blank(width, self.look.style("foreground", "background"))
        strip = self._plain.get(at)
        if strip is None:
            strip = self._plain[at] = self._draw(at, width, "background").apply_offsets(0, at)
        return strip

    def marked(
        self,
        at: int,
        width: int,
        *,
        has_cursor: bool,
        found: str,
        selected: tuple[int, int] | None,
        selection_style: Style,
    ) -> Strip:
        """A line with the cursor, with every place of `found`, and with the letters from the first
        to before the second of `selected`, where -1 is the end of the line."""
        strip = self._draw(at, width, "cursor" if has_cursor else "background")
        plain = self.lines[at].plain
        if found:
            style = self.look.style("found", "found-on", bold=True)
            strip = highlight(strip, plain, found, style)
        if selected is not None:
            start, end = selected
            last = strip.cell_length if end == -1 else width_of(plain[:end])
            strip = restyle(strip, width_of(plain[:start]), last, selection_style)
        return strip.apply_offsets(0, at)

    def _draw(self, at: int, width: int, on: str) -> Strip:
        base = self.look.style("foreground", on)
        return Strip(self.lines[at].segments).apply_style(base).adjust_cell_length(width, base)


def highlight(strip: Strip, plain: str, wanted: str, style: Style) -> Strip:
    """Every place of `wanted` in the line's text, whatever the case of its letters."""
    folded, wanted = plain.casefold(), wanted.casefold()
    at = folded.find(wanted) if wanted else -1
    while at >= 0:
        start = width_of(plain[:at])
        strip = restyle(strip, start, start + width_of(plain[at : at + len(wanted)]), style)
        at = folded.find(wanted, at + len(wanted))
    return strip


def restyle(strip: Strip, start: int, end: int, style: Style) -> Strip:
    """Cells from `start` to before `end`; the rest of the line stays as it is."""
    if end <= start:
        return strip
    middle = [
        Segment(text, (own or Style()) + style, control)
        for text, own, control in strip.crop(start, end)
    ]
    after = strip.crop(end, strip.cell_length)
    return Strip([*strip.crop(0, start), *middle, *after], strip.cell_length)
