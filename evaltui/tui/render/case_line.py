"""One line of the cases pane: `✗ ↓ ls-004  umbrella  get_weather  ✓✓✓✗  1.4s  ⚠ changed`."""

from collections.abc import Sequence

from msgspec import Struct
from rich.segment import Segment

from evaltui.core.comparison import CHANGED, Effect
from evaltui.core.provenance import how_it_came
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.store.row import Phase, Row, RowStatus
from evaltui.tui.render import glyphs
from evaltui.tui.render.agent_columns import (
    NO_COLUMNS,
    AgentColumns,
    lay_out_agents,
    verdict_cells,
)
from evaltui.tui.render.clip import fit, fit_middle, one_line
from evaltui.tui.render.look import Look
from evaltui.tui.render.row_marks import lead_mark, side_mark, status_mark
from evaltui.tui.render.words import ago, duration, span

LEAD = 7
"""Cells before the id: cursor or chosen, phase or pinned, status, blank, mark of two, blank."""
DURATION = 7
REASON = 40
"""Cells that a reason keeps before any other column but the id has one."""
SLOW_MS = 100.0
"""From here on a duration is worth a look."""
TWICE = 2.0
SHORTEST_MS = 10.0
"""Below, a duration doubles by chance, and nobody waits."""
NEWS_S = 2.0
"""Seconds for which a row that just changed is marked."""
NOTE = 12
"""Cells of a reason, below which it goes before the time does."""


class Needs(Struct, frozen=True):
    """What the rows have to show, in cells; 0 for a column that none of them needs."""

    id: int = 0
    suite: int = 0
    """Where no heading says it."""
    recent: int = 0
    """From two verdicts on: a single one repeats the glyph beside it."""
    is_timed: bool = False
    """Whether a time is worth a look: slow, running, or how old a result is."""
    is_suite_told: bool = False
    """Whether a line of the suite alone says what its rows share."""


class Columns(Struct, frozen=True):
    """Widths in cells, without the blank before each; 0 leaves a column out."""

    id: int
    description: int
    suite: int
    recent: int
    duration: int
    note: int
    agents: AgentColumns = NO_COLUMNS
    """When there are several."""


def lay_out_compared(width: int, id_need: int, names: Sequence[str], shown: int) -> Columns:
    """Share out `width` cells where there is a column for each agent.

    After the id come the agents; what is known of the shown one alone gets the rest.
    """
    ident = min(id_need, 24, max(8, width - LEAD - 10))
    agents = lay_out_agents(width - LEAD - ident, names, shown)
    rest = width - LEAD - ident - agents.cells
    length = DURATION if rest >= DURATION + 2 + NOTE + 2 else 0
    rest -= length + 2 if length else 0
    recent = 10 if rest >= 40 else 0
    rest -= recent + 2 if recent else 0
    if rest < 6:
        return Columns(ident + rest, 0, 0, recent, length, 0, agents)
    if rest < 70:
        return Columns(ident, 0, 0, recent, length, rest - 2, agents)
    description = min(40, rest * 2 // 5)
    return Columns(ident, description, 0, recent, length, rest - description - 4, agents)


def lay_out(width: int, needs: Needs) -> Columns:
    """Share out `width` cells: the id and `REASON` cells of the reason come first.

    The description, where it has no column, stands in place of a reason (see `case_line`).
    """
    room = width - LEAD
    time = DURATION if needs.is_timed else 0
    wanted = max(18, room - REASON - (time + 2 if time else 0) - 2)
    ident = max(0, min(needs.id, wanted, max(14, room * 6 // 10), room))
    note = room - ident - 2
    if note < 10:
        return Columns(room, 0, 0, 0, 0, 0)

    def take(cells: int) -> int:
        nonlocal note
        if not cells or note - cells - 2 < REASON:
            return 0
        note -= cells + 2
        return cells

    length = take(time)
    recent = take(needs.recent)
    suite = take(min(needs.suite, 20))
    description = take(min(40, max(16, (note - REASON) * 2 // 3)))
    return Columns(ident, description, suite, recent, length, note)


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
    is_suite_told: bool = False,
) -> list[Segment]:
    """Segments of exactly the width that `columns` was laid out for.

    A cached row is as an earlier process left it, and dim as a whole. `difference`: what differs
    in its calls, in a few words (see `row_difference`). `is_suite_told`: see `Needs`.
    """
    is_aged = _is_aged(row, is_cached)
    cut = look.symbols.cut
    text = look.style("aged" if is_aged else "foreground", on)
    quiet = look.style("aged" if is_aged else "quiet", on)
    status, mark = status_mark(row), side_mark(row)
    first = lead_mark(row)
    blank = Segment(" ", text)
    line = [
        Segment(lead, look.style("line-focused", on, bold=True)),
        Segment(*look.mark(first, on)) if first else blank,
        Segment(look.symbol(status), look.style("aged" if is_aged else status.variable, on)),
        blank,
        Segment(fit(look.symbol(mark), 2), look.mark(mark, on)[1]) if mark else Segment("  ", text),
        blank,
    ]
    needs_eye = row.status in (RowStatus.FAILED, RowStatus.ERROR) and not is_aged
    if needs_eye or on.startswith("cursor"):
        name = look.style("aged" if is_aged else "foreground", on, bold=True)
    else:
        name = text
    line.append(Segment(fit_middle(row.key.case, columns.id, cut), name))
    if columns.agents.agents:
        line += verdict_cells(others, columns.agents, look, on)
    outdated = look.symbol(glyphs.OUTDATED) if is_suite_told else glyphs.OUTDATED.word
    note, variable = note_of(row, difference, outdated)
    if row.phase is not Phase.IDLE and is_aged and variable != "case-running":
        variable = "aged"
    if columns.description:
        line.append(Segment("  " + fit(row.case.description, columns.description, cut), quiet))
    elif not note:
        note, variable = row.case.description, "aged" if is_aged else "quiet"
    if columns.suite:
        line.append(Segment("  " + fit(row.suite.short_name, columns.suite, cut), quiet))
    if columns.recent:
        line.append(Segment("  ", text))
        line += _recent(row.recent, columns.recent, look, on)
    if columns.duration:
        line.append(
            Segment("  " + when_of(row, now, is_cached=is_cached).rjust(columns.duration), quiet)
        )
    if columns.note:
        variable = "aged" if is_cached else variable
        line.append(Segment("  " + fit(note, columns.note, cut), look.style(variable, on)))
    return line


def note_of(
    row: Row, difference: str = "", outdated: str = glyphs.OUTDATED.word
) -> tuple[str, str]:
    """What a reader wants to know next, and the theme variable it is written in.

    `outdated`: what stands at its end where the suite is that.
    """
    result = row.result
    if row.phase is Phase.RUNNING:
        doing = row.live_calls[-1].name if row.live_calls else one_line(row.live_text).strip()
        if doing or result is None:
            return f"running: {doing}" if doing else "running", "case-running"
    if result is None:
        if row.phase is Phase.QUEUED:
            return f"queued: {_why(row)}" if _why(row) else "queued", "case-queued"
        if row.case.invalid:
            return f"cannot be judged: {row.case.invalid}", "severity-error"
        return (_why(row) or "not run yet"), "case-unknown"
    said, variable = _came_to(row, result, difference)
    unread = "as last known, its file cannot be read" if row.suite.is_unread else ""
    parts = [unread, said, *how_it_came(result.response), _why(row) if row.is_due else ""]
    parts += [outdated] if row.is_outdated else []
    return " · ".join(part for part in parts if part), variable


def _came_to(row: Row, result: CaseResult, difference: str) -> tuple[str, str]:
    """What the result says, and the theme variable it is written in."""
    variable = glyphs.ROW_STATUS[row.status].variable
    if row.muted:
        return f"muted: {row.muted}", variable
    if result.status is CaseStatus.FAILED:
        return difference or _unquoted(result.error), variable
    if result.status is CaseStatus.ERROR:
        return f"error: {result.error}", variable
    if result.status is CaseStatus.SKIPPED:
        return f"skipped: {result.error}" if result.error else "skipped", variable
    if result.is_nothing_asserted:
        return difference or "nothing asserted", variable
    if row.is_flaky:
        return f"flaky: {result.passes} of {result.trials} passed", "case-flaky"
    if difference:
        return difference, "case-passed" if row.effect is Effect.BETTER else "case-stale"
    return ("newly passed", "case-passed") if row.newly_passed else ("", "quiet")


def _unquoted(error: str) -> str:
    """Without the name of the assertion: the room is for what it says."""
    check, colon, said = error.partition(": ")
    return said if colon and check.isalnum() else error


def _why(row: Row) -> str:
    return ", ".join(row.stale.reasons) if row.stale is not None else ""


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
