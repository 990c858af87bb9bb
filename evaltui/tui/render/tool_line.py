"""One line about a tool: its pass rate, and what the last save did to its cases."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, takewhile

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
SHORTEST_NAME = 8
"""Cells of a name before the marks stand close to give it more."""
LEAST_MARKS = 2
"""Cells of the sign that marks are cut, and one before it."""


class Columns(Struct, frozen=True):
    """The same for every line, so that numbers stand below each other."""

    width: int
    name: int
    bar: int
    """0 without one."""
    rate: int = RATE
    is_close: bool = False
    """Whether no blanks part the marks."""

    @classmethod
    def of(cls, lines: Mapping[str, Counts], width: int, look: Look) -> "Columns":
        """For tools of these names: no line leaves out a figure that another has room for, but
        where names would look alike."""
        wanted = max(map(width_of, lines), default=0)
        most = max((counts.total for counts in lines.values()), default=0)
        rate = max(RATE, len(f" {most:,}/{most:,}"))
        room, is_close = 0, False
        for is_close in (False, True):
            marks = (_cells(save_marks(c, look), is_close=is_close) for c in lines.values())
            room = width - 1 - rate - max((MARKS, *marks))
            if room >= min(wanted, SHORTEST_NAME):
                break
        told_apart = min(wanted, _told_apart(lines))
        room = max(room, min(told_apart, width - 1 - rate - LEAST_MARKS))
        bar = next((bar for bar in BARS if room - bar - 1 >= min(wanted, NAME)), 0)
        name = max(1, min(wanted, room - bar - bool(bar)))
        return cls(width, name, bar, rate, is_close)


def _told_apart(names: Iterable[str]) -> int:
    """Cells from which on no two names that begin alike are cut to the same; 0 where none do."""
    longest = 0
    for one, other in pairwise(sorted(names)):
        alike = takewhile(lambda both: both[0] == both[1], zip(one, other, strict=False))
        longest = max(longest, width_of("".join(letter for letter, _ in alike)))
    return longest and longest + 2


def _cells(marks: Sequence[tuple[str, str]], *, is_close: bool) -> int:
    """With one before the first."""
    between = 1 if is_close else len(marks)
    return sum(width_of(text) for text, _ in marks) + between if marks else 0


def tool_line(name: str, counts: Counts, columns: Columns, look: Look, on: str) -> list[Segment]:
    """Exactly the width of the columns; `on` is the variable behind the cursor's line. Where marks
    have no room, one says so in place of the last."""
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
            _rate(counts, look).rjust(columns.rate),
            look.style("foreground" if is_run else "quiet", on),
        )
    )
    room = columns.width - sum(width_of(segment.text) for segment in line)
    marks = save_marks(counts, look)
    cut = (look.symbols.cut, "quiet")
    while len(marks) > 1 and _cells(marks, is_close=columns.is_close) > room:
        marks[-2:] = [cut]
    for index, (text, variable) in enumerate(marks):
        blank = "" if index and columns.is_close else " "
        line.append(Segment(f"{blank}{text}", look.style(variable, on)))
    used = sum(width_of(segment.text) for segment in line)
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
        return f"{counts.passed:,}/{counts.judged:,}"
    return f"{look.symbol(glyphs.UNKNOWN)}{counts.total:,}" if counts.total else "none"


def save_marks(counts: Counts, look: Look) -> list[tuple[str, str]]:
    """`↓1 ↑2 ~1 ⚠`: cases that the last save turned, those that call otherwise, outdated ones."""
    effects = (
        (Effect.WORSE, look.symbol(glyphs.REGRESSED)),
        (Effect.BETTER, look.symbol(glyphs.IMPROVED)),
        (Effect.ERROR, look.symbol(glyphs.ERROR)),
        (Effect.CALLS_DIFFER, "~"),
    )
    marks = [
        (f"{symbol}{number:,}", glyphs.EFFECT[effect])
        for effect, symbol in effects
        if (number := counts.by_effect[effect])
    ]
    if counts.outdated:
        marks.append((look.symbol(glyphs.OUTDATED), glyphs.OUTDATED.variable))
    return marks
