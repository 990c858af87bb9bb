"""One line about a suite: its file, and the counts of its cases."""

from collections.abc import Iterable, Mapping

from rich.segment import Segment

from evaltui.core.suite import Suite
from evaltui.store.counts import Counts
from evaltui.tui.order import SaveGroup
from evaltui.tui.render import glyphs
from evaltui.tui.render.clip import fit, width_of
from evaltui.tui.render.count_marks import count_marks, side_marks
from evaltui.tui.render.glyphs import Mark
from evaltui.tui.render.look import Look


def count_segments(counts: Counts, look: Look, on: str, *, is_close: bool = False) -> list[Segment]:
    """`✓27 ✗3 · ↓2 ⚠5`, the figures of the header; words where there is no case to count. Close:
    `✓27✗3·↓2⚠5`, where nothing else parts them."""
    if not counts.total:
        return [Segment(" no cases", look.style("quiet", on))]
    blank, dot = "" if is_close else " ", look.symbols.separator
    quiet = look.style("quiet", on)
    line = _numbers(count_marks(counts), blank, look, on)
    if marks := _numbers(side_marks(counts), blank, look, on):
        line += [Segment(f"{blank}{dot}", quiet), *marks] if line else marks
    return [Segment(" ", quiet), *line] if is_close else line


def _numbers(marks: Mapping[Mark, int], blank: str, look: Look, on: str) -> list[Segment]:
    return [
        Segment(f"{blank}{look.symbol(mark)}{number:,}", look.style(mark.variable, on))
        for mark, number in marks.items()
        if number
    ]


def heading_line(
    suite: Suite, counts: Counts, look: Look, width: int, *, on: str, is_folded: bool
) -> list[Segment]:
    """A grouping row: fold mark, file, counts at the right; the cursor is marked as on a case."""
    fold = look.symbols.folded if is_folded else look.symbols.unfolded
    lead = look.symbols.crumb if on.startswith("cursor") else ""
    return named_line(f"{lead}{fold} {suite.id}", counts, look, width, on=on)


def group_line(
    group: SaveGroup,
    look: Look,
    width: int,
    cursor: str,
    *,
    is_folded: bool,
    blame: str = "",
    said: str = "",
) -> list[Segment]:
    """`WORSE 1`; the words that the rows below share, as `said`, stand here once. `blame`: what the
    save took from descriptions or put into them, where there is room for all of it."""
    on = cursor or "background"
    variable = _OF_GROUPS.get(group.name, "quiet")
    also = f", {group.also}" if group.also else ""
    also += f" · all {len(group.keys):,} {glyphs.OUTDATED.word}" if group.is_outdated else ""
    also += f" · {said}" if said else ""
    title = f"{look.symbols.crumb if cursor else ' '}{group.name} {len(group.keys):,}{also}"
    is_bold = bool(cursor) or group.name in _NEED_THE_EYE
    hint = f"{look.symbols.folded} unfold " if is_folded else ""
    room = width - width_of(hint)
    if blame and width_of(title) + 2 + width_of(blame) < room:
        room = width_of(title)
        hint = fit(f"  {blame}", width - room - width_of(hint)) + hint
    return [
        Segment(fit(title, room, look.symbols.cut), look.style(variable, on, bold=is_bold)),
        Segment(hint, look.style("quiet", on)),
    ]


_OF_GROUPS = {
    "REGRESSED": "case-regressed",
    "WORSE": "case-regressed",
    "BETTER": "case-passed",
    "ERROR": "case-error",
    "CALLS DIFFER": "case-stale",
    "STILL FAILING": "case-failed",
    "FAILING AT TIMES": "case-flaky",
    "DUE": "case-stale",
}

_NEED_THE_EYE = _OF_GROUPS.keys() - {"BETTER", "DUE"}

SHORTEST = 4
"""Cells of a name: figures are what the line is for."""


def named_line(
    name: str, counts: Counts, look: Look, width: int, *, on: str, short: str = ""
) -> list[Segment]:
    """`name`, or `short` where it has no room, clipped, and the counts; where they have no room,
    they stand close, then without the dot, and then the last give way to a mark that says so."""
    numbers = count_segments(counts, look, on)
    cells = _cells(numbers)
    if width - cells < SHORTEST:
        numbers = _fewer(counts, look, width, on)
        cells = _cells(numbers)
    room = width - cells - 1
    name = short if short and width_of(name) > room else name
    is_bold = counts.has_trouble or on.startswith("cursor")
    line = [Segment(fit(name, room, look.symbols.cut), look.style("strong", on, bold=is_bold))]
    return [*line, *numbers, Segment(" ", look.style("", on))]


def _fewer(counts: Counts, look: Look, width: int, on: str) -> list[Segment]:
    """The counts for a line that has no room for all of them."""
    numbers = count_segments(counts, look, on, is_close=True)
    if width - _cells(numbers) < SHORTEST:
        numbers = [one for one in numbers if one.text != look.symbols.separator]
    if width - _cells(numbers) < SHORTEST:
        numbers.append(Segment(f" {look.symbols.cut}", look.style("quiet", on)))
        while len(numbers) > 1 and width - _cells(numbers) < SHORTEST:
            del numbers[-2]
    return numbers


def _cells(segments: Iterable[Segment]) -> int:
    return sum(width_of(segment.text) for segment in segments)
