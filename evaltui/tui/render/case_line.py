"""One line of the cases pane: `✗ ↓ ls-004  umbrella  get_weather  ✓✓✓✗  1.4s  ⚠ changed`."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.segment import Segment

from evaltui.core.result import CaseStatus
from evaltui.store.row import Phase, Row, Standing
from evaltui.tui.render import glyphs
from evaltui.tui.render.clip import fit, fit_middle, one_line
from evaltui.tui.render.glyphs import Mark
from evaltui.tui.render.look import Look
from evaltui.tui.render.words import duration, span

LEAD = 6
"""Cells before the id: cursor or chosen, phase, status, blank, mark, blank."""
DURATION = 7


@dataclass(frozen=True, slots=True)
class Columns:
    """Widths in cells, without the blank before each; 0 leaves a column out."""

    id: int
    description: int
    tool: int
    strip: int
    duration: int
    note: int
    agents: int = 0
    """One glyph for each agent, when there are several."""


def lay_out(width: int, id_need: int, tool_need: int, agents: int = 0) -> Columns:
    """Share out `width` cells; the id and the note are the last to go.

    Below two full columns of text the description gives way to the note (see `case_line`).
    """
    agents = agents if agents > 1 and width >= 40 else 0
    room = width - LEAD - (agents + 1 if agents else 0)
    length = DURATION if width >= 44 else 0
    strip = 10 if width >= 96 else 5 if width >= 62 else 0
    tool = min(tool_need, 20) if width >= 88 else 0
    room -= sum(column + 2 for column in (length, strip, tool) if column)
    ident = max(0, min(id_need, max(14, room * 6 // 10), room))
    rest = room - ident - 2
    if rest < 10:
        return Columns(room, 0, tool, strip, length, 0, agents)
    if rest < 56:
        return Columns(ident, 0, tool, strip, length, rest, agents)
    description = min(40, rest * 2 // 5)
    return Columns(ident, description, tool, strip, length, rest - description - 2, agents)


def case_line(
    row: Row,
    columns: Columns,
    look: Look,
    *,
    now: float,
    on: str = "background",
    lead: str = " ",
    others: Sequence[Row | None] = (),
    is_recalled: bool = False,
) -> list[Segment]:
    """Segments of exactly the width that `columns` was laid out for.

    A recalled row is as an earlier process left it, and dim as a whole.
    """
    is_aged = row.result is not None and (
        is_recalled or row.is_stale or row.phase is not Phase.IDLE
    )
    cut = look.symbols.cut
    text = look.style("aged" if is_aged else "foreground", on)
    quiet = look.style("aged" if is_aged else "quiet", on)
    status, mark = status_mark(row), side_mark(row)
    phase = glyphs.PHASE[row.phase] if row.phase is not Phase.IDLE else None
    blank = Segment(" ", text)
    line = [
        Segment(lead, look.style("line-focused", on, bold=True)),
        Segment(*look.mark(phase, on)) if phase else blank,
        Segment(look.symbol(status), look.style("aged" if is_aged else status.variable, on)),
        blank,
        Segment(*look.mark(mark, on)) if mark else blank,
        blank,
    ]
    if columns.agents:
        line += [
            Segment(*look.mark(status_mark(other), on)) if other else blank for other in others
        ]
        line.append(blank)
    line.append(Segment(fit_middle(row.key.case, columns.id, cut), text))
    note, variable = note_of(row)
    if columns.description:
        line.append(Segment("  " + fit(row.case.description, columns.description, cut), quiet))
    elif not note:
        note, variable = row.case.description, "aged" if is_aged else "quiet"
    if columns.tool:
        line.append(Segment("  " + fit(row.suite.tool_name, columns.tool, cut), quiet))
    if columns.strip:
        line.append(Segment("  ", text))
        line += _strip(row.strip, columns.strip, look, on)
    if columns.duration:
        line.append(Segment("  " + _when(row, is_aged, now).rjust(columns.duration), quiet))
    if columns.note:
        variable = "aged" if is_recalled else variable
        line.append(Segment("  " + fit(note, columns.note, cut), look.style(variable, on)))
    return line


def status_mark(row: Row) -> Mark:
    """The verdict's glyph; flaky has its own, stale keeps the verdict it had."""
    if row.result is None:
        return glyphs.UNKNOWN
    if row.standing is Standing.FLAKY:
        return glyphs.FLAKY
    return glyphs.STATUS[row.result.status]


def side_mark(row: Row) -> Mark | None:
    if row.regressed:
        return glyphs.REGRESSED
    if row.is_stale:
        return glyphs.STALE
    if row.newly_passed:
        return glyphs.NEWLY_PASSED
    return glyphs.MUTED if row.result is not None and row.result.muted else None


def note_of(row: Row) -> tuple[str, str]:
    """What a reader wants to know next, and the theme variable it is written in."""
    result = row.result
    if row.phase is Phase.RUNNING:
        doing = row.live_calls[-1].name if row.live_calls else one_line(row.live_text).strip()
        return f"running: {doing}" if doing else "running", "case-running"
    if row.phase is Phase.QUEUED:
        return f"queued: {_why(row)}" if _why(row) else "queued", "case-queued"
    if result is None:
        return (_why(row) or "not run yet"), "case-unknown"
    why = f"stale: {_why(row)}" if row.is_stale else ""
    if result.status in (CaseStatus.FAILED, CaseStatus.ERROR):
        word = "error: " if result.status is CaseStatus.ERROR else ""
        what = "muted: " + result.muted if result.muted else word + result.error
        return (f"{why} · {what}", "case-stale") if why else (what, _variable(row))
    if why:
        return why, "case-stale"
    if row.is_flaky:
        return f"flaky: {result.passes} of {result.trials} passed", "case-flaky"
    if row.newly_passed:
        return "newly passed", "case-passed"
    if result.status is CaseStatus.SKIPPED:
        return f"skipped: {result.error}" if result.error else "skipped", "case-skipped"
    return "", "quiet"


def _variable(row: Row) -> str:
    return glyphs.STANDING[row.standing].variable


def _why(row: Row) -> str:
    if row.stale is not None:
        return ", ".join(row.stale.reasons)
    return "written for another description" if row.is_stale else ""


def _strip(strip: Sequence[CaseStatus], width: int, look: Look, on: str) -> list[Segment]:
    last = strip[-width:]
    line = [Segment(*look.mark(glyphs.STATUS[status], on)) for status in last]
    if len(last) < width:
        line.append(Segment(" " * (width - len(last)), look.style("", on)))
    return line


def _when(row: Row, is_aged: bool, now: float) -> str:
    if row.result is None:
        return ""
    if is_aged and row.result.finished_at:
        return f"{span(now - row.result.finished_at)} ago"
    return duration(row.result.duration_ms)
