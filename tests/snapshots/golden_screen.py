"""A screen as a text file: what stands where, and below it in which style.

Not the SVG files of a snapshot plugin: those hold the version of every library in each line, a
reviewer cannot read their differences, and they miss what a terminal without fonts would show.
"""

import os
from difflib import unified_diff
from itertools import groupby
from pathlib import Path
from string import ascii_letters, digits

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

FOLDER = Path(__file__).resolve().parent
UPDATE = "EVALTUI_UPDATE_SNAPSHOTS"
SIGNS = "." + ascii_letters + digits + "!#$%&()*+,-/:;<=>?@"


def drawn(strips: list[Strip]) -> str:
    """The text of every line, then one sign a cell for its style, then what the signs mean."""
    styles: dict[str, str] = {}
    texts, layers = [], []
    for strip in strips:
        segments = [segment for segment in strip if segment.text]
        texts.append("".join(segment.text for segment in segments).rstrip())
        layers.append(_layer(segments, styles))
    legend = [f"{sign} {name}" for name, sign in styles.items()]
    return "\n".join([*texts, "--- styles", *layers, "--- legend", *legend, ""])


def compare(name: str, strips: list[Strip]) -> None:
    """Fails with a difference; `EVALTUI_UPDATE_SNAPSHOTS=1` writes the file anew."""
    path = FOLDER / f"{name}.txt"
    now = drawn(strips)
    if os.environ.get(UPDATE):
        path.write_text(now, encoding="utf-8")
    before = path.read_text(encoding="utf-8")
    difference = unified_diff(before.splitlines(), now.splitlines(), path.name, "now", n=0)
    assert now == before, "\n".join([f"if it is meant, set {UPDATE}=1", *difference])


def _layer(segments: list[Segment], styles: dict[str, str]) -> str:
    """Run lengths, so that a line of one style is short."""
    cells = [
        (styles.setdefault(name, SIGNS[min(len(styles), len(SIGNS) - 1)]), segment.cell_length)
        for segment in segments
        for name in (_named(segment.style),)
    ]
    runs = [
        (sign, sum(length for _, length in group))
        for sign, group in groupby(cells, key=lambda cell: cell[0])
    ]
    return " ".join(f"{sign}{length}" for sign, length in runs)


def _named(style: Style | None) -> str:
    if style is None:
        return "plain"
    words = ("bold", "dim", "italic", "underline", "reverse", "strike")
    marks = [word for word in words if getattr(style, word)]
    colors = [
        color.get_truecolor().hex if color is not None and not color.is_default else "default"
        for color in (style.color, style.bgcolor)
    ]
    return " ".join([f"{colors[0]} on {colors[1]}", *marks])
