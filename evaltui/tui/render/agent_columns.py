"""Columns of the cases pane, one an agent: who, how many passed, and each case's verdict."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rich.segment import Segment

from evaltui.store.board import Board
from evaltui.store.row import Phase, Row, Standing
from evaltui.tui.render import glyphs
from evaltui.tui.render.clip import fit_middle, width_of
from evaltui.tui.render.glyphs import Mark
from evaltui.tui.render.look import Look
from evaltui.tui.render.row_marks import side_mark, status_mark

WORDY, BRIEF, WIDEST = 8, 5, 14
"""Cells of a column: `✗ fail↓`, `✗ fa↓`, and at most, for a long name."""
LEAST_REST, GOOD_REST = 8, 18
"""Cells that words, and names longer than those, leave to time and reason."""
TOTALS = 10
"""Cells of `✓36 ✗6 !3`."""
MORE = 4
"""Cells for ` +12`, which stands for agents without a column."""


@dataclass(frozen=True, slots=True)
class AgentColumns:
    """Which agents have a column, and how wide it is; every column has a blank before it."""

    agents: tuple[int, ...] = ()
    """Places in the order of the settings."""
    width: int = 0
    hidden: int = 0
    shown: int = 0
    """Place of the agent whose board this is."""

    @property
    def cells(self) -> int:
        return len(self.agents) * (self.width + 1) + (MORE if self.hidden else 0)


NO_COLUMNS = AgentColumns()


def lay_out_agents(room: int, names: Sequence[str], shown: int) -> AgentColumns:
    """Columns for as many agents as fit into `room`, the one that is shown among them.

    The rest of the line is left its share: words and longer names stand where there is room.
    """
    number = len(names)
    need = max(TOTALS, *(width_of(name) + 1 for name in names))
    most, roomy = ((room - rest) // number - 1 for rest in (LEAST_REST, GOOD_REST))
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


def total_cells(
    counts: Sequence[Mapping[Standing, int]],
    columns: AgentColumns,
    look: Look,
    on: str,
    progress: Sequence[tuple[int, int] | None] = (),
) -> list[Segment]:
    """How many cases passed for each agent, or how far it is, as exactly as there is room."""
    cells: list[Segment] = []
    texts = (_said(counts, progress, columns, share) for share in (_numbers, _share, _percent))
    fitting = (said for said in texts if all(_width(parts) <= columns.width for parts in said))
    for parts in next(fitting, [[] for _ in columns.agents]):
        cells += [
            Segment(f" {look.symbol(mark)}{text}", look.style(mark.variable, on))
            for mark, text in parts
        ]
        cells.append(Segment(" " * (columns.width - _width(parts)), look.style("", on)))
    if columns.hidden:
        cells.append(Segment(" " * MORE, look.style("", on)))
    return cells


def progress_of(board: Board) -> tuple[int, int] | None:
    """Cases done and cases in all while its run is on."""
    run = board.run
    return (run.done, run.total) if run is not None and run.end is None and run.total else None


def place_at(cell: int, columns: AgentColumns) -> int | None:
    """Which agent's column a cell belongs to, counted from the first blank before them."""
    at = cell // (columns.width + 1) if columns.width and cell >= 0 else -1
    return columns.agents[at] if 0 <= at < len(columns.agents) else None


def _verdict(row: Row, width: int, look: Look, on: str) -> list[Segment]:
    status = status_mark(row)
    is_aged = row.result is not None and (row.is_stale or row.phase is not Phase.IDLE)
    mark = side_mark(row) if row.phase is Phase.IDLE else glyphs.PHASE[row.phase]
    words = _WORDS[status.word]
    word = words[0] if width >= WORDY else words[1]
    variable = "aged" if is_aged else status.variable
    cells = [Segment(f"{look.symbol(status)} {word}", look.style(variable, on))]
    used = 2 + len(word)
    if mark is not None:
        cells.append(Segment(*look.mark(mark, on)))
        used += 1
    return [*cells, Segment(" " * (width - used), look.style("", on))]


Total = list[tuple[Mark, str]]


def _said(
    counts: Sequence[Mapping[Standing, int]],
    progress: Sequence[tuple[int, int] | None],
    columns: AgentColumns,
    say: Callable[[int, int, int], Total],
) -> list[Total]:
    """The same for every column, so that they can be compared."""
    said: list[Total] = []
    for place in columns.agents:
        running = progress[place] if progress else None
        if running is not None:
            done, of = running
            is_short = say is _percent
            text = f"{100 * done // of}%" if is_short else f"{done:,}/{of:,}"
            said.append([(glyphs.RUNNING, text)])
        else:
            said.append(_total(counts[place], say))
    return said


def _total(counts: Mapping[Standing, int], say: Callable[[int, int, int], Total]) -> Total:
    """All passed, all errors and nothing judged are said alike everywhere."""
    passed = sum(counts.get(kind, 0) for kind in (Standing.PASSED, Standing.STALE, Standing.FLAKY))
    failed = counts.get(Standing.FAILED, 0) + counts.get(Standing.REGRESSED, 0)
    errors = counts.get(Standing.ERROR, 0)
    if not passed + failed + errors:
        is_skipped = bool(counts.get(Standing.SKIPPED))
        return [(glyphs.SKIPPED if is_skipped else glyphs.UNKNOWN, "")]
    return say(passed, failed, errors)


def _numbers(passed: int, failed: int, errors: int) -> Total:
    """`✓18 ✗23 !1`."""
    numbers = ((glyphs.PASSED, passed), (glyphs.FAILED, failed), (glyphs.ERROR, errors))
    return [(mark, f"{number:,}") for mark, number in numbers if number]


def _share(passed: int, failed: int, errors: int) -> Total:
    """`✓18/42`: passed of those that were judged."""
    of = passed + failed + errors
    if of == errors:
        return [(glyphs.ERROR, f"{errors:,}")]
    return [(glyphs.PASSED, f"{passed:,}/{of:,}")]


def _percent(passed: int, failed: int, errors: int) -> Total:
    of = passed + failed + errors
    mark = glyphs.ERROR if of == errors else glyphs.PASSED
    return [(mark, f"{100 * (passed or errors * (of == errors)) // of}%")]


def _width(parts: Total) -> int:
    """Without the blank in front."""
    return sum(len(text) + 2 for _, text in parts) - 1


_WORDS = {
    glyphs.PASSED.word: ("pass", "ok"),
    glyphs.FAILED.word: ("fail", "fa"),
    glyphs.ERROR.word: ("error", "er"),
    glyphs.SKIPPED.word: ("skip", "sk"),
    glyphs.FLAKY.word: ("flaky", "fl"),
    glyphs.UNKNOWN.word: ("none", "--"),
}
