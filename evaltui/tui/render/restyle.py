"""Putting a style over part of a drawn line."""

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from evaltui.tui.render.clip import width_of


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
