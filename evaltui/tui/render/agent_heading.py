"""Headings above the columns of agents: their names, their counts, and those of a suite."""

from collections.abc import Sequence

from rich.segment import Segment

from evaltui.core.suite import Suite
from evaltui.store.counts import Counts
from evaltui.tui.render.agent_columns import name_cells
from evaltui.tui.render.agent_counts import count_cells
from evaltui.tui.render.case_columns import LEAD, Columns
from evaltui.tui.render.clip import fit, width_of
from evaltui.tui.render.look import Look

ON = "background"


def agent_heading(names: Sequence[str], columns: Columns, look: Look, width: int) -> list[Segment]:
    """Which agent has which column, and whose time and reason follow."""
    key = look.keys.get("@", "@")
    return [
        *_left((f"{len(names)} agents, {key} next", f"{len(names)} agents"), columns, look),
        *name_cells(names, columns.agents, look, ON),
        *_right(f"  {_after(columns)} of {names[columns.agents.shown]}", columns, look, width),
    ]


def counts_heading(
    counts: Sequence[Counts],
    progress: Sequence[tuple[int, int] | None],
    differing: int,
    cases: int,
    columns: Columns,
    look: Look,
    width: int,
) -> list[Segment]:
    """How many cases each agent passes, and on how many they disagree."""
    return [
        *_left(
            (f"{differing:,} of {cases:,} differ", f"{differing:,}/{cases:,} differ"), columns, look
        ),
        *count_cells(counts, columns.agents, look, ON, progress),
        *_right("", columns, look, width),
    ]


def compared_heading(
    suite: Suite,
    counts: Sequence[Counts],
    columns: Columns,
    look: Look,
    width: int,
    *,
    on: str,
    is_folded: bool,
) -> list[Segment]:
    """A grouping row: fold mark, file, and its counts in the column of each agent."""
    fold = look.symbols.folded if is_folded else look.symbols.unfolded
    room = LEAD + columns.id
    lead = look.symbols.crumb if on.startswith("cursor") else ""
    name = f"{lead}{fold} {suite.name}"
    rest = width - room - columns.agents.cells
    is_bold = on.startswith("cursor") or any(of_agent.has_trouble for of_agent in counts)
    return [
        Segment(fit(name, room, look.symbols.cut), look.style("strong", on, bold=is_bold)),
        *count_cells(counts, columns.agents, look, on),
        *([Segment(" " * rest, look.style("", on))] if rest else []),
    ]


def _after(columns: Columns) -> str:
    return "why, time" if columns.note else ""


def _left(texts: Sequence[str], columns: Columns, look: Look) -> list[Segment]:
    """The first that fits above the ids, else above the marks before them too."""
    room = LEAD + columns.id
    lines = [f"{' ' * lead}{text}" for text in texts for lead in (LEAD, 1)]
    said = next((line for line in lines if width_of(line) <= room), lines[-1])
    return [Segment(fit(said, room, look.symbols.cut), look.style("quiet", ON))]


def _right(text: str, columns: Columns, look: Look, width: int) -> list[Segment]:
    room = width - LEAD - columns.id - columns.agents.cells
    said = text if width_of(text) <= room and _after(columns) else ""
    return [Segment(fit(said, room, look.symbols.cut), look.style("quiet", ON))] if room else []
