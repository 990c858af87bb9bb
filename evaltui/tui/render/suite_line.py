"""One line about a suite: its file, and the counts of its cases."""

from rich.segment import Segment

from evaltui.core.suite import Suite
from evaltui.store.counts import Counts
from evaltui.tui.order import SaveGroup
from evaltui.tui.render import glyphs
from evaltui.tui.render.clip import fit, width_of
from evaltui.tui.render.count_marks import count_marks, side_marks
from evaltui.tui.render.look import Look


def count_segments(counts: Counts, look: Look, on: str) -> list[Segment]:
    """`✓27 ✗3 ↓2 ⚠5`; words where there is no case to count. What newly passes is good news that
    can wait: the room is for the rest."""
    if not counts.total:
        return [Segment(" no cases", look.style("quiet", on))]
    return [
        Segment(f" {look.symbol(mark)}{number:,}", look.style(mark.variable, on))
        for mark, number in (count_marks(counts) | side_marks(counts)).items()
        if number and mark is not glyphs.NEWLY_PASSED
    ]


def heading_line(
    suite: Suite, counts: Counts, look: Look, width: int, *, on: str, is_folded: bool
) -> list[Segment]:
    """A grouping row: fold mark, file, counts at the right."""
    fold = look.symbols.folded if is_folded else look.symbols.unfolded
    return named_line(f"{fold} {suite.id}", counts, look, width, on=on)


def group_line(
    group: SaveGroup, look: Look, width: int, cursor: str, *, is_folded: bool
) -> list[Segment]:
    """`WORSE 1`; the words that the rows below share stand here once."""
    on = cursor or "background"
    variable = _OF_GROUPS.get(group.name, "quiet")
    title = f"{look.symbols.crumb if cursor else ' '}{group.name} {len(group.keys):,}"
    hint = f"{look.symbols.folded} unfold " if is_folded else ""
    room = width - width_of(hint)
    return [
        Segment(fit(title, room, look.symbols.cut), look.style(variable, on, bold=True)),
        Segment(hint, look.style("quiet", on)),
    ]


_OF_GROUPS = {
    "WORSE": "case-regressed",
    "BETTER": "case-passed",
    "ERROR": "case-error",
    "CALLS DIFFER": "case-stale",
    "STILL FAILING": "case-failed",
}


SHORTEST = 4
"""Cells of a name: figures are what the line is for."""


def named_line(name: str, counts: Counts, look: Look, width: int, *, on: str) -> list[Segment]:
    """`name` clipped from the left of its counts; counts give way only when there is no room."""
    numbers = count_segments(counts, look, on)
    used = sum(width_of(segment.text) for segment in numbers)
    while numbers and width - used < SHORTEST:
        used -= width_of(numbers.pop().text)
    room = width - used - 1
    line = [Segment(fit(name, room, look.symbols.cut), look.style("strong", on, bold=True))]
    return [*line, *numbers, Segment(" ", look.style("", on))]
