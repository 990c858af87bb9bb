"""The head of a case's detail: what it is, its verdict, and how far to trust that."""

from rich.segment import Segment

from evaltui.core.case import ScenarioCase, TraceCase
from evaltui.core.provenance import how_it_came
from evaltui.core.result import CaseResult
from evaltui.store.row import Phase, Row, RowMark
from evaltui.traces.measured import latencies_ms
from evaltui.tui.render.clip import clip, fit, width_of
from evaltui.tui.render.evidence import evidence_parts
from evaltui.tui.render.glyphs import (
    DUE,
    ERROR,
    FAILED,
    MUTED,
    NOTHING_ASSERTED,
    OUTDATED,
    PHASE,
    ROW_MARK,
    ROW_STATUS,
    STATUS,
    Mark,
    result_mark,
)
from evaltui.tui.render.line import Line
from evaltui.tui.render.sanitize import sanitize
from evaltui.tui.render.text_builder import Part, TextBuilder
from evaltui.tui.render.verdicts import first_gating
from evaltui.tui.render.words import ago, count, duration

_TOLD = (
    *(RowMark.REGRESSED, RowMark.MOVED, RowMark.IMPROVED, RowMark.MOVED_UP),
    RowMark.FLAKY,
)
MOST_LINES = 4
"""Of one text, where there is room; the tabs below have everything in full."""


def write_head(
    builder: TextBuilder, row: Row, agent: str, now: float, *, roomy: bool = True
) -> None:
    """What was asked, what came of it, and how far to trust that.

    Where there is no room (`roomy`) each is one line and what was asked is left out. What is cut
    has a mark.
    """
    most = MOST_LINES if roomy else 1
    _write_name(builder, row)
    if roomy:
        asked = _asked(row)
        _write(builder, most, ("asks ", "quiet"), asked)
    result = row.result
    if result is not None:
        reason = reason_of(result)
        if reason:
            _write(builder, max(most, 3), (reason, STATUS[result.status].variable))
    if evidence := evidence_parts(row, builder.look):
        _write(builder, most, *evidence)
    if row.muted:
        said = f"muted, counts for nothing now: {row.muted}"
        _write(builder, most, (f"{builder.look.symbol(MUTED)} {said}", MUTED.variable))
    for mark, text in trust_notes(row):
        _write(builder, most, (f"{builder.look.symbol(mark)} {text}", "case-stale"))
    if result is not None:
        _write(builder, most, (" · ".join(_facts(row, result, agent, now)), "quiet"))


def reason_of(result: CaseResult) -> str:
    """In one line: the first gating verdict's reason, else what the result itself says."""
    gating = first_gating(result.verdicts)
    return " ".join((gating.named if gating else result.error).split())


def _asked(row: Row) -> str:
    """In one line. What a model said as the user stands in the conversation alone."""
    message = row.case.message
    if not message and isinstance(row.case.body, ScenarioCase):
        response = row.result.response if row.result is not None else None
        said = response.messages if response is not None else ()
        message = next((one.content for one in said if one.role == "user"), "")
        message = message or "(what the simulated user says)"
    return " ".join(message.split()) or "(empty message)"


def trust_notes(row: Row) -> list[tuple[Mark, str]]:
    """Why the result may not say what it seems to: stale, overlapping tools, nothing asserted."""
    notes: list[tuple[Mark, str]] = []
    if row.is_due and row.stale is not None:
        notes.append((DUE, f"due, {row.stale.degree.value}: {', '.join(row.stale.reasons)}"))
    warnings: list[str] = []
    if row.is_outdated:
        warnings.append("outdated: this suite was written for another description of the tool")
    result = row.result
    if result is not None:
        if result.response is not None:
            warnings += result.response.notes
        if result.skipped_tokens:
            warnings.append(f"not checked for want of a value: {', '.join(result.skipped_tokens)}")
        if result_mark(result) is NOTHING_ASSERTED:
            warnings.append("nothing asserted: this pass says nothing")
    return [*notes, *((OUTDATED, text) for text in warnings)]


def _write(builder: TextBuilder, most: int, *parts: Part) -> None:
    """Wrapped, with a mark where so many lines were not enough."""
    sheet = TextBuilder(builder.look, builder.width)
    sheet.write(*parts, hang=2)
    shown = sheet.lines[:most]
    if len(sheet.lines) > most:
        mark = builder.look.symbols.cut
        last = clip(shown[-1].plain.rstrip(), builder.width - 2, mark).removesuffix(mark).rstrip()
        style = shown[-1].segments[-1].style
        shown[-1] = Line((Segment(f"{last} {mark}", style),))
    builder.lines += shown


def _write_name(builder: TextBuilder, row: Row) -> None:
    look = builder.look
    parts: list[Part] = []
    if row.phase is not Phase.IDLE:
        parts += [builder.mark(PHASE[row.phase]), "  "]
    result = row.result
    status = _status(row)
    is_bold = status in (FAILED, ERROR)
    parts.append(
        (f"{look.symbol(status)} {status.word}", look.style(status.variable, bold=is_bold))
    )
    for mark in row.marks:
        if mark in _TOLD:
            parts += ["  ", builder.mark(ROW_MARK[mark])]
    if result is not None and result.trials > 1:
        parts.append((f"  {result.passes}/{result.trials} attempts", "case-flaky"))
    parts += ["  ", (row.key.case, look.style("strong", bold=is_bold))]
    if row.case.description:
        parts.append((f"  {row.case.description}", "quiet"))
    _line(builder, *parts)


def _status(row: Row) -> Mark:
    """What the result came to, also where the case is muted."""
    result = row.result
    if result is None:
        return ROW_STATUS[row.status]
    return result_mark(result)


def _facts(row: Row, result: CaseResult, agent: str, now: float) -> list[str]:
    source = result.response.source if result.response else ""
    body = row.case.body
    tells_time = not isinstance(body, TraceCase) or bool(latencies_ms(body.trace))
    facts = [agent, source, duration(result.duration_ms) if tells_time else ""]
    facts += [fact for fact in how_it_came(result.response) if fact != source]
    if result.finished_at:
        facts.append(ago(max(0.0, now - result.finished_at)))
    facts.append(
        f"{count(result.assertions_run, 'assertion')} run"
        + (f", {result.assertions_skipped} skipped" if result.assertions_skipped else "")
    )
    if row.baseline is not None:
        facts.append(f"baseline {row.baseline.words}")
    if result.carried_from:
        facts.append("kept from an earlier run")
    return [fact for fact in facts if fact]


def _line(builder: TextBuilder, *parts: Part) -> None:
    """One line, clipped as a whole."""
    room = builder.width
    kept: list[Part] = []
    for part in parts:
        text, style = (part, "") if isinstance(part, str) else part
        text = sanitize(" ".join(text.split("\n")), builder.look.is_ascii)
        if width_of(text) > room:
            kept.append((fit(text, room, builder.look.symbols.cut) if room > 0 else "", style))
            break
        kept.append((text, style))
        room -= width_of(text)
    builder.write(*kept)
