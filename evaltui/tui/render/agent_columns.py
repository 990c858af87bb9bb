"""Columns of the cases pane, one an agent: who, how many passed, and each case's verdict."""

from collections.abc import Sequence

from msgspec import Struct
from rich.segment import Segment

from evaltui.store.row import Phase, Row
from evaltui.tui.render import glyphs
from evaltui.tui.render.clip import fit_middle, width_of
from evaltui.tui.render.look import Look
from evaltui.tui.render.row_marks import side_mark, status_mark

WORDY, BRIEF, WIDEST = 8, 5, 14
"""Cells of a column: `✗ fail↓`, `✗ fa↓`, and at most, for a long name."""
LEAST_REST = 8
"""Cells that words leave to the reason."""
TOTALS = 10
"""Cells of `✓36 ✗6 !3`."""
MORE = 4
"""Cells for ` +12`: the number of agents without a column."""


class AgentColumns(Struct, frozen=True):
    """Which agents have a column, and how wide it is; every column has a blank before it."""

    agents: tuple[int, ...] = ()
    """Places in the order of the settings."""
    width: int = 0
    hidden: int = 0
    shown: int = 0
    """PaneId of the agent whose board this is."""

    @property
    def cells(self) -> int:
        return len(self.agents) * (self.width + 1) + (MORE if self.hidden else 0)


NO_COLUMNS = AgentColumns()


def lay_out_agents(room: int, names: Sequence[str], shown: int, rest: int) -> AgentColumns:
    """Columns for as many agents as fit into `room`, the one that is shown among them.

    Longer names are shown where that leaves `rest` cells, words where it leaves some.
    """
    number = len(names)
    need = max(TOTALS, *(width_of(name) + 1 for name in names))
    most, roomy = ((room - cells) // number - 1 for cells in (LEAST_REST, rest))
    is_wordy = most >= WORDY
    width = max(WORDY, min(need, roomy, WIDEST)) if is_wordy else min(need, WORDY - 1, most)
    if width >= BRIEF:
        return AgentColumns(tuple(range(number)), width, 0, shown)
    fitting = room // (BRIEF + 1)
    if fitting < number:
        fitting = max(1, (room - MORE) // (BRIEF + 1))
    first = min(max(0, shown - fitting + 1), number - fitting) if fitting < number else 0
    chosen = tuple(range(number))[first : first + fitting]
    return AgentColumns(chosen, BRIEF, number - len(chosen), shown)


def verdict_cells(
    rows: Sequence[Row | None], columns: AgentColumns, look: Look, on: str
) -> list[Segment]:
    """One case on every board: glyph, word and mark for each agent."""
    plain = look.style("", on)
    cells: list[Segment] = []
    for place in columns.agents:
        cells.append(Segment(" ", plain))
        row = rows[place] if place < len(rows) else None
        if row is None:
            cells.append(Segment(" " * columns.width, plain))
        else:
            cells += _verdict(row, columns.width, look, on)
    if columns.hidden:
        cells.append(Segment(" " * MORE, plain))
    return cells


def name_cells(names: Sequence[str], columns: AgentColumns, look: Look, on: str) -> list[Segment]:
    """Who has which column, the agent that is shown with a mark in front."""
    symbols = look.symbols
    cells: list[Segment] = []
    for place in columns.agents:
        is_shown = place == columns.shown
        name = f"{symbols.crumb if is_shown else ' '}{names[place]}"
        style = look.style("strong" if is_shown else "quiet", on, bold=is_shown)
        cells.append(Segment(fit_middle(name, columns.width + 1, symbols.cut), style))
    if columns.hidden:
        cells.append(Segment(f" +{columns.hidden}".ljust(MORE), look.style("quiet", on)))
    return cells


def place_at(cell: int, columns: AgentColumns) -> int | None:
    """Which agent's column a cell belongs to, counted from the first blank before them."""
    at = cell // (columns.width + 1) if columns.width and cell >= 0 else -1
    return columns.agents[at] if 0 <= at < len(columns.agents) else None


def _verdict(row: Row, width: int, look: Look, on: str) -> list[Segment]:
    status = status_mark(row)
    is_aged = row.result is not None and (row.is_due or row.phase is not Phase.IDLE)
    mark = side_mark(row) if row.phase is Phase.IDLE else glyphs.PHASE[row.phase]
    words = _WORDS[status.word]
    word = words[0] if width >= WORDY else words[1]
    variable = "aged" if is_aged else status.variable
    style, plain = look.style(variable, on), look.style("", on)
    sign = Segment(*look.mark(mark, on)) if mark is not None else Segment("", plain)
    if look.is_ascii:  # a mark is a letter there: behind the word it would be read as part of it
        lead = [Segment(look.symbol(status), style), sign if sign.text else Segment(" ", plain)]
        rest = width - 2 - len(lead[1].text) - len(word)
        return [*lead, Segment(f" {word}", style), Segment(" " * rest, plain)]
    used = 2 + len(word) + len(sign.text)
    return [
        Segment(f"{look.symbol(status)} {word}", style),
        *([sign] if sign.text else []),
        Segment(" " * (width - used), plain),
    ]


_WORDS = {
    glyphs.PASSED.word: ("pass", "ok"),
    glyphs.FAILED.word: ("fail", "fa"),
    glyphs.ERROR.word: ("error", "er"),
    glyphs.NOTHING_ASSERTED.word: ("skip", "sk"),
    glyphs.MUTED.word: ("muted", "mu"),
    glyphs.UNKNOWN.word: ("none", "--"),
}
