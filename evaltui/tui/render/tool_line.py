"""One line about a tool: its pass rate, and what the last save did to its cases."""

from collections.abc import Iterable

from msgspec import Struct
from rich.segment import Segment

from evaltui.core.comparison import Effect
from evaltui.store.counts import Counts
from evaltui.tui.render import glyphs
from evaltui.tui.render.clip import fit, width_of
from evaltui.tui.render.look import Look

BARS = (4, 3, 2)
"""Cells of the bar; it goes before a name of usual length is cut."""
NAME = 14
RATE = 6
"""Cells of `12/16`, and one before it."""
MARKS = 5
"""Cells of `↓1 ⚠`, and one before it."""


class Columns(Struct, frozen=True):
    """The same for every line, so that numbers stand below each other."""

    width: int
    name: int
    bar: int
    """0 without one."""

    @classmethod
    def of(cls, names: Iterable[str], width: int) -> "Columns":
        wanted = max(map(width_of, names), default=0)
        room = width - 1 - RATE - MARKS
        fitting = (bar for bar in BARS if room - bar - 1 >= min(wanted, NAME))
        bar = next(fitting, 0)
        return cls(width, max(1, min(wanted, room - bar - bool(bar))), bar)


def tool_line(name: str, counts: Counts, columns: Columns, look: Look, on: str) -> list[Segment]:
    """Exactly the width of the columns; `on` is the variable behind the cursor's line."""
    is_cursor, on = bool(on), on or "background"
    line = [
        Segment(look.symbols.crumb if is_cursor else " ", look.style("line-focused", on)),
        Segment(
            fit(name, columns.name, look.symbols.cut),
            look.style("strong", on, bold=is_cursor or counts.has_trouble),
        ),
    ]
    if columns.bar:
        line += [Segment(" ", look.style("", on)), *bar(counts, columns.bar, look, on)]
    is_run = counts.judged > 0
    line.append(
        Segment(
            _rate(counts, look).rjust(RATE), look.style("foreground" if is_run else "quiet", on)
        )
    )
    used = sum(width_of(segment.text) for segment in line)
    for text, variable in save_marks(counts, look):
        if used + width_of(text) + 1 <= columns.width:
            line.append(Segment(f" {text}", look.style(variable, on)))
            used += width_of(text) + 1
    return [*line, Segment(" " * max(0, columns.width - used), look.style("", on))]


def bar(counts: Counts, width: int, look: Look, on: str) -> list[Segment]:
    """What passed of what was judged; never full while something did not pass."""
    judged = counts.judged
    full = width * counts.passed // judged if judged else 0
    return [
        Segment(look.symbols.bar_full * full, look.style("case-passed", on)),
        Segment(look.symbols.bar_empty * (width - full), look.style("quiet", on)),
    ]


def _rate(counts: Counts, look: Look) -> str:
    """`8/9`; `·3` where none of three was run."""
    if counts.judged:
        return f"{counts.passed}/{counts.judged}"
    return f"{look.symbol(glyphs.UNKNOWN)}{counts.total}" if counts.total else "none"


def save_marks(counts: Counts, look: Look) -> list[tuple[str, str]]:
    """`↓1 ↑2 ~1 ⚠`: cases that the last save turned, those that call otherwise, outdated ones."""
    effects = (
        (Effect.WORSE, look.symbol(glyphs.REGRESSED)),
        (Effect.BETTER, look.symbol(glyphs.IMPROVED)),
        (Effect.ERROR, look.symbol(glyphs.ERROR)),
        (Effect.CALLS_DIFFER, "~"),
    )
    marks = [
        (f"{symbol}{number}", glyphs.EFFECT[effect])
        for effect, symbol in effects
        if (number := counts.by_effect[effect])
    ]
    if counts.outdated:
        marks.append((look.symbol(glyphs.OUTDATED), glyphs.OUTDATED.variable))
    return marks
