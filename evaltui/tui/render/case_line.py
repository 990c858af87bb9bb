"""One line of the cases pane: `✗ ↓ ls-004  umbrella  get_weather  ✓✓✓✗  1.4s  ⚠ changed`."""

from collections.abc import Sequence

from rich.segment import Segment

from evaltui.core.comparison import CHANGED
from evaltui.core.result import CaseStatus
from evaltui.store.row import Phase, Row
from evaltui.store.row_status import RowStatus
from evaltui.tui.render import glyphs
from evaltui.tui.render.agent_columns import verdict_cells
from evaltui.tui.render.case_columns import REASON, SHORT_DESCRIPTION, Columns
from evaltui.tui.render.case_note import note_of
from evaltui.tui.render.clip import fit, fit_middle, width_of
from evaltui.tui.render.look import Look
from evaltui.tui.render.row_marks import due_mark, lead_mark, side_mark, status_mark
from evaltui.tui.render.words import AGO, ago, duration, span

DURATION = 7
"""Cells of a time."""
SLOW_MS = 100.0
"""From here on a duration is worth a look."""
TWICE = 2.0
SHORTEST_MS = 10.0
"""Below, a duration doubles by chance, and nobody waits."""
NEWS_S = 2.0
"""Seconds for which a row that just changed is marked."""


def case_line(
    row: Row,
    columns: Columns,
    look: Look,
    *,
    now: float,
    on: str = "background",
    lead: str = " ",
    others: Sequence[Row | None] = (),
    is_cached: bool = False,
    difference: str = "",
    down: str | None = None,
    outdated: str = glyphs.OUTDATED.word,
) -> list[Segment]:
    """Segments of exactly the width that `columns` was laid out for.

    A cached row is as an earlier process left it, and dim as a whole. `difference`: what differs
    in its calls, in a few words (see `row_difference`). `down`: see `note_of`.
    `outdated`: what stands at its end where the suite is that; empty where a heading says so.
    """
    is_aged = _is_aged(row, is_cached)
    cut = look.symbols.cut
    text = look.style("aged" if is_aged else "foreground", on)
    quiet = look.style("aged" if is_aged else "quiet", on)
    status, mark = status_mark(row), side_mark(row)
    first, due = lead_mark(row), due_mark(row)
    line = [
        Segment(lead, look.style("line-focused", on, bold=True)),
        Segment(*look.mark(first, on)) if first else Segment(" ", text),
        Segment(look.symbol(status), look.style("aged" if is_aged else status.variable, on)),
    ]
    if due or mark:
        line += [
            Segment(*look.mark(due, on)) if due else Segment(" ", text),
            Segment(fit(look.symbol(mark), 2), look.mark(mark, on)[1])
            if mark
            else Segment("  ", text),
            Segment(" ", text),
        ]
    else:  # as of most rows: Textual crops, joins and writes every piece by itself
        line.append(Segment("    ", text))
    needs_eye = row.status in (RowStatus.FAILED, RowStatus.ERROR) and not is_aged
    if needs_eye or on.startswith("cursor"):
        name = look.style("aged" if is_aged else "foreground", on, bold=True)
    else:
        name = text
    line.append(Segment(fit_middle(row.key.case, columns.id, cut), name))
    if columns.agents.agents:
        line += verdict_cells(others, columns.agents, look, on)
    note, variable = note_of(row, difference, down=down)
    variable = "aged" if is_aged or is_cached else variable
    description = row.case.description
    if not note:
        note, variable, description = description, "aged" if is_aged or is_cached else "quiet", ""
    when = when_of(row, now, is_cached=is_cached)
    if row.is_outdated and outdated and row.result is not None:
        symbol = look.symbol(glyphs.OUTDATED)
        marked = (f"{note} · {word}" if note else word for word in (outdated, symbol))
        # A word that is cut says nothing that its glyph does not say.
        room = columns.note - (2 + DURATION + columns.air if when and is_aged else 0)
        note = next((text for text in marked if width_of(text) <= room), note)
    if columns.suite:
        line.append(Segment("  " + fit(row.suite.short_name, columns.suite, cut), quiet))
    if columns.recent:
        line.append(Segment("  ", text))
        line += _recent(row.recent, columns.recent, look, on)
    if columns.note:
        end = _end(note, when, description, columns, cut, is_aged=is_aged)
        end = end or " " * (columns.note > REASON)
        said = fit(note, columns.note - width_of(end), cut)
        line.append(Segment(f"  {said}", look.style(variable, on)))
        line.append(Segment(end, quiet))
    return line


def _end(
    note: str, when: str, description: str, columns: Columns, cut: str, *, is_aged: bool
) -> str:
    """What stands behind a reason that leaves room for it: the description, and at the end a time.
    How old a result is has its room in any case, but for that of the first `REASON` cells: there it
    is said shorter, or not at all."""
    air = " " * columns.air
    time, free = air, columns.note - width_of(note)
    if is_aged and columns.note >= REASON:
        free = max(free, columns.note - REASON)
    forms = [f"  {when:>{DURATION}}{air}"]
    if is_aged:
        short = f" {when.removesuffix(AGO)}"
        forms += [short + air, short]
    if when and columns.note >= 3 * DURATION:
        is_narrow = is_aged and columns.note < REASON
        time = next((form for form in forms if is_narrow or width_of(form) <= free), time)
    free = columns.note - width_of(note)
    cells = columns.description - len(time)
    if not description or cells < SHORT_DESCRIPTION or free < 2 + columns.description:
        return time.rstrip() and time
    return f"  {fit(description, cells, cut)}{time}"


def _recent(recent: Sequence[CaseStatus], width: int, look: Look, on: str) -> list[Segment]:
    last = recent[-width:]
    line = [Segment(*look.mark(glyphs.STATUS[status], on)) for status in last]
    if len(last) < width:
        line.append(Segment(" " * (width - len(last)), look.style("", on)))
    return line


def when_of(row: Row, now: float, *, is_cached: bool = False) -> str:
    """For how long the case runs, else how old its result is where that matters, else how long it
    took."""
    if row.phase is Phase.RUNNING and row.started_at:
        return span(now - row.started_at)
    if row.result is None:
        return ""
    if _is_aged(row, is_cached) and row.result.finished_at:
        return ago(now - row.result.finished_at)
    took = row.result.duration_ms
    is_unusual = took >= SHORTEST_MS and 0 < row.usual_ms * TWICE <= took
    return duration(took) if took >= SLOW_MS or is_unusual else ""


def is_news(row: Row, now: float) -> bool:
    """Whether the case came out otherwise a moment ago. Either way: the screen's time stands still
    between two ticks, and a result may be of after the last."""
    if row.effect not in CHANGED or row.result is None or row.phase is not Phase.IDLE:
        return False
    return abs(now - row.result.finished_at) < NEWS_S


def _is_aged(row: Row, is_cached: bool) -> bool:
    """Whether the result is of an earlier moment than the rest of the board."""
    return row.result is not None and (is_cached or row.is_due or row.phase is not Phase.IDLE)
