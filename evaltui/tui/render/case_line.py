"""One line of the cases pane: `✗ ↓ ls-004  umbrella  get_weather  ✓✓✓✗  1.4s  ⚠ changed`."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace
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
from evaltui.tui.render.clip import fit, fit_middle, one_line, width_of
from evaltui.tui.render.look import Look
from evaltui.tui.render.row_marks import lead_mark, side_mark, status_mark
from evaltui.tui.render.words import ago, duration, span

LEAD = 7
"""Cells before the id: cursor or chosen, phase or pinned, status, blank, mark of two, blank."""
DURATION = 7
"""Cells of a time."""
REASON = 40
"""Cells that a reason keeps before any other column but the id has one."""
SLOW_MS = 100.0
"""From here on a duration is worth a look."""
DOWN = "agent down"
"""In place of a reason that the header and the problems pane say once, with the number of cases."""
TWICE = 2.0
SHORTEST_MS = 10.0
"""Below, a duration doubles by chance, and nobody waits."""
NEWS_S = 2.0
"""Seconds for which a row that just changed is marked."""
AGENTS_HEADING = 16
"""Cells of what stands above the ids where there are several agents: `2 agents, @ next`."""
SHORTEST_NAME, SHORTEST_SUITE, SHORTEST_STRIP = 18, 6, 2
"""Cells below which a name is not shortened, and the other columns are left out."""
GOOD_STRIP = 5
"""Verdicts of the past that are shown before the suite is; more come after it."""
DESCRIPTION, SHORT_DESCRIPTION, SHORT_REASON = 16, 12, 26
"""Cells that a description has at least behind a reason of `REASON` cells, and behind a short
one of so many."""


class Needs(Struct, frozen=True):
    """What the rows have to show, in cells; 0 for a column that none of them needs."""

    id: int = 0
    suite: int = 0
    """Where no heading says it."""
    recent: int = 0
    """From two verdicts on: a single one repeats the glyph beside it."""


class Columns(Struct, frozen=True):
    """Widths in cells, without the blank before each; 0 leaves a column out."""

    id: int
    suite: int
    recent: int
    note: int
    """The reason, and behind it what it leaves room for: the description, a time."""
    description: int = 0
    """Of those of `note`, the last."""
    agents: AgentColumns = NO_COLUMNS
    """When there are several."""

    @property
    def air(self) -> int:
        """Cells behind all other text, so that it does not touch the border; a reason that has no
        more room than it needs takes that too."""
        return int(self.note >= REASON)


def lay_out_compared(width: int, needs: Needs, names: Sequence[str], shown: int) -> Columns:
    """Share out `width` cells where there is a column for each agent.

    After the id come the agents, as wide as leaves the reason its room; what is known of the shown
    one alone gets the rest.
    """
    room = width - LEAD
    ident = min(needs.id, 24, max(8, room - 10))
    agents = lay_out_agents(room - ident, names, shown, REASON + 2)
    lacking = REASON + 2 - (room - ident - agents.cells)
    ident -= max(0, min(lacking, ident - SHORTEST_NAME))
    spare = room - ident - agents.cells - 2 - REASON
    ident += max(0, min(AGENTS_HEADING - ident, spare))
    rest = room - ident - agents.cells
    if rest < 6:
        return Columns(ident + rest, 0, 0, 0, 0, agents)
    return _share_rest(rest - 2, Columns(ident, 0, 0, 0, 0, agents), needs)


def lay_out(width: int, needs: Needs) -> Columns:
    """Share out `width` cells: the id and `REASON` cells of the reason come first.

    Behind a reason that leaves room for it stands what few rows have to show, so that no column
    changes its place because of them.
    """
    room = width - LEAD
    wanted = max(SHORTEST_NAME, room - REASON - 2)
    ident = max(0, min(needs.id, wanted, max(14, room * 6 // 10), room))
    note = room - ident - 2
    if note < 10:
        return Columns(room, 0, 0, 0)
    return _share_rest(note, Columns(ident, 0, 0, 0), needs)


def _share_rest(note: int, columns: Columns, needs: Needs) -> Columns:
    """Give the other columns what of `note` cells the reason need not have, and the reason the
    rest."""

    def take(cells: int, least: int) -> int:
        nonlocal note
        cells = min(cells, note - REASON - 2)
        if cells < least:
            return 0
        note -= cells + 2
        return cells

    least = min(needs.suite, SHORTEST_SUITE)
    spare = note - REASON - (least + 2 if least else 0)
    strips = (needs.recent, min(needs.recent, GOOD_STRIP))
    strip = next((cells for cells in strips if cells + 2 <= spare), needs.recent)
    recent = take(strip, SHORTEST_STRIP)
    suite = take(min(needs.suite, 20), least or 1)
    description = min(40, max(DESCRIPTION, (note - REASON) * 2 // 3), note - SHORT_REASON - 2)
    if description < SHORT_DESCRIPTION:
        description = 0
    return replace(columns, suite=suite, recent=recent, note=note, description=description)


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
    is_down: bool = False,
    outdated: str = glyphs.OUTDATED.word,
) -> list[Segment]:
    """Segments of exactly the width that `columns` was laid out for.

    A cached row is as an earlier process left it, and dim as a whole. `difference`: what differs
    in its calls, in a few words (see `row_difference`). `is_down`: why its agent gave no answer is
    said once for all such cases. `outdated`: what stands at its end where the suite is that; empty
    where a heading says so.
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
    note, variable = note_of(row, difference, is_down=is_down)
    if row.phase is not Phase.IDLE and is_aged and variable != "case-running":
        variable = "aged"
    description = row.case.description
    if not note:
        note, variable, description = description, "aged" if is_aged else "quiet", ""
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
        line.append(Segment(f"  {said}", look.style("aged" if is_cached else variable, on)))
        line.append(Segment(end, quiet))
    return line


def _end(
    note: str, when: str, description: str, columns: Columns, cut: str, *, is_aged: bool
) -> str:
    """What stands behind a reason that leaves room for it: the description, and at the end a time.
    How old a result is has its room in any case."""
    air = " " * columns.air
    time, free = air, columns.note - width_of(note)
    if when and columns.note >= 3 * DURATION and (is_aged or free >= 2 + DURATION + len(air)):
        time = f"  {when:>{DURATION}}{air}"
    cells = columns.description - len(time)
    if not description or cells < SHORT_DESCRIPTION or free < 2 + columns.description:
        return time.rstrip() and time
    return f"  {fit(description, cells, cut)}{time}"


def note_of(row: Row, difference: str = "", *, is_down: bool = False) -> tuple[str, str]:
    """What a reader wants to know next, and the theme variable it is written in."""
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
    said = DOWN if is_down else said
    unread = "as last known, its file cannot be read" if row.suite.is_unread else ""
    parts = [unread, said, *how_it_came(result.response), _why(row) if row.is_due else ""]
    parts.insert(2, _settled_by(row))
    return " · ".join(part for part in parts if part), variable


def _settled_by(row: Row) -> str:
    """`3 more settle it`: calls that would, if they all failed."""
    further = row.proof.further if row.moved and row.proof is not None else None
    return f"{further} more settle{'s' * (further == 1)} it" if further else ""


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
        passed, of = result.passes, result.trials
        if row.proof is not None and row.proof.is_flaky:
            passed, of = row.proof.of_now.passes, row.proof.of_now.count
        return f"flaky: {passed} of {of} passed", "case-flaky"
    if difference:
        return difference, "case-passed" if row.effect is Effect.BETTER else "case-stale"
    if row.improved or row.moved_up:
        mark = glyphs.IMPROVED if row.improved else glyphs.MOVED_UP
        return mark.word, mark.variable
    return "", "quiet"


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
