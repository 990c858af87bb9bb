"""The footer's line: as many keys as there is room for, chips at the right."""

from collections.abc import Sequence

from msgspec import Struct
from rich.segment import Segment

from evaltui.tui.render.clip import clip, width_of
from evaltui.tui.render.look import Look

ON = "panel"


class Chip(Struct, frozen=True):
    """A mode that is in force, e.g. `PAUSED 2 queued`."""

    text: str
    is_alert: bool = False


def footer_line(
    keys: Sequence[tuple[str, str, str]], chips: Sequence[Chip], width: int, look: Look
) -> tuple[list[Segment], list[tuple[int, int, str]]]:
    """Exactly `width` cells, and which command has which cells.

    `keys`: key, label, command id, most important first; the first always stays. Chips may take
    what the first key leaves, each clipped with a mark.
    """
    plain, bold = look.style("quiet", ON), look.style("strong", ON, bold=True)
    first = width_of(f" {keys[0][0]} {keys[0][1]}") if keys else 0
    right = _chips(chips, width - first - 1, look)
    room = width - sum(width_of(segment.text) for segment in right)
    line: list[Segment] = []
    spots: list[tuple[int, int, str]] = []
    used = 0
    for key, label, command in keys:
        length = 3 + width_of(key) + width_of(label)
        if used + length > room:
            continue
        lead = "  " if line else " "
        line += [Segment(lead, plain), Segment(key, bold), Segment(f" {label}", plain)]
        start = used + len(lead)
        used += len(lead) + width_of(key) + 1 + width_of(label)
        spots.append((start, used, command))
    return [*line, Segment(" " * (width - used - _width(right)), plain), *right], spots


def _chips(chips: Sequence[Chip], room: int, look: Look) -> list[Segment]:
    line: list[Segment] = []
    for chip in chips:
        text = clip(chip.text, min(room - _width(line) - 3, 48), look.symbols.cut)
        if len(text) < 4:
            break
        names = ("chip-alert", "chip-alert-on") if chip.is_alert else ("chip", "chip-on")
        line += [Segment(" ", look.style("quiet", ON)), Segment(f" {text} ", look.style(*names))]
    return line


def _width(line: Sequence[Segment]) -> int:
    return sum(width_of(segment.text) for segment in line)
