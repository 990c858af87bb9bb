"""How many cases each agent passes, worded the same for all columns."""

from collections.abc import Callable, Sequence

from rich.segment import Segment

from evaltui.store.board import Board
from evaltui.store.counts import Counts
from evaltui.tui.render import glyphs
from evaltui.tui.render.agent_columns import MORE, AgentColumns
from evaltui.tui.render.glyphs import Mark
from evaltui.tui.render.look import Look

Total = list[tuple[Mark, str]]


def count_cells(
    counts: Sequence[Counts],
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
    """Trials done and trials in all while its run is on."""
    run = board.runs.last
    if run is None or run.end is not None or not run.total:
        return None
    return run.trials_done, run.trials_total


def _said(
    counts: Sequence[Counts],
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


def _total(counts: Counts, say: Callable[[int, int, int], Total]) -> Total:
    """All passed, all errors and nothing judged are said alike everywhere."""
    if not counts.judged:
        return [(glyphs.NOTHING_ASSERTED if counts.nothing_asserted else glyphs.UNKNOWN, "")]
    return say(counts.passed, counts.failed, counts.errors)


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
