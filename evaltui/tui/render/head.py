"""The head of a case's detail: what it is, its verdict, and how far to trust that."""

from enum import IntEnum

from msgspec import Struct
from rich.segment import Segment

from evaltui.core.provenance import how_it_came
from evaltui.core.result import CaseResult
from evaltui.store.row import Phase, Row
from evaltui.store.row_status import RowMark
from evaltui.tui.render.clip import clip, width_of
from evaltui.tui.render.evidence import evidence_lines
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
from evaltui.tui.render.text_builder import Part, TextBuilder
from evaltui.tui.render.verdicts import first_gating
from evaltui.tui.render.words import ago, count, duration_of

_SHOWN_MARKS = (
    *(RowMark.REGRESSED, RowMark.MOVED, RowMark.IMPROVED, RowMark.MOVED_UP),
    RowMark.FLAKY,
)
MOST_LINES = 4
"""Of one text, where there is no room for all of it; the tabs below have everything in full."""


class _Gives(IntEnum):
    """Which text gives lines away first, the lowest before all others."""

    PICTURE = 0
    """It may go altogether."""
    NAME = 1
    FACTS = 2
    NOTES = 3
    QUESTION = 4
    REASON = 5
    EVIDENCE = 6
    """It is never cut."""


class _Text(Struct):
    """A text of the head, wrapped, and how many lines of it are shown."""

    lines: list[Line]
    shown: int
    gives: _Gives


def write_head(
    builder: TextBuilder, row: Row, agent: str, now: float, *, room: int = 99, affected: int = 0
) -> None:
    """What was asked, what came of it, and how far to trust that; of so many cases that edits can
    have affected.

    In so many lines (`room`) where a line of each is enough: what matters least is cut first, with
    a mark, and what the trials prove never.
    """
    texts: list[_Text] = []

    def add(gives: _Gives, *parts: Part) -> None:
        sheet = TextBuilder(builder.look, builder.width)
        sheet.write(*parts, hang=2)
        texts.append(_Text(sheet.lines, len(sheet.lines), gives))

    room = max(1, room)  # a pane may have none at all for a moment
    add(_Gives.NAME, *_name(builder, row))
    add(_Gives.QUESTION, ("asks ", "quiet"), _asked(row))
    result, look = row.result, builder.look
    if result is not None and (reason := reason_of(result)):
        add(_Gives.REASON, (reason, STATUS[result.status].variable))
    lines, picture = evidence_lines(row, look, builder.width, affected=affected)
    for line in lines:
        add(_Gives.EVIDENCE, *line)
    if picture:
        add(_Gives.PICTURE, *picture)
    if row.muted:
        said = f"muted, does not count now: {row.muted}"
        add(_Gives.NOTES, (f"{look.symbol(MUTED)} {said}", MUTED.variable))
    for mark, text in trust_notes(row):
        add(_Gives.NOTES, (f"{look.symbol(mark)} {text}", mark.variable))
    if result is not None:
        add(_Gives.FACTS, (" · ".join(_facts(row, result, agent, now)), "quiet"))
    _fit(texts, room)
    for one in (text for text in texts if text.shown):
        builder.lines += _cut(one.lines, one.shown, builder)


def _fit(texts: list[_Text], room: int) -> None:
    """Take lines away until all fit: of long texts, then what gives way first down to one."""
    by_gives = sorted(texts, key=lambda text: text.gives)
    long = sorted(texts, key=lambda text: text.gives is not _Gives.QUESTION)
    every = [(one, int(one.gives is not _Gives.PICTURE)) for one in by_gives]
    for one, least in (*((one, MOST_LINES) for one in long), *every):
        excess = sum(text.shown for text in texts) - room
        if excess > 0 and one.gives is not _Gives.EVIDENCE:
            one.shown = min(one.shown, max(least, one.shown - excess))


def reason_of(result: CaseResult) -> str:
    """In one line: the first gating verdict's reason, else what the result itself says."""
    gating = first_gating(result.verdicts)
    return " ".join((gating.named if gating else result.error).split())


def _asked(row: Row) -> str:
    """In one line. What a model said as the user stands in the conversation alone."""
    if row.suite.is_unread:
        return "(not known: its file cannot be read)"
    message = row.case.message
    if not message and row.case.body.is_conversation:
        response = row.result.response if row.result is not None else None
        said = response.messages if response is not None else ()
        message = next((one.content for one in said if one.role == "user"), "")
        message = message or "(what the simulated user says)"
    return " ".join(message.split()) or "(empty message)"


def trust_notes(row: Row) -> list[tuple[Mark, str]]:
    """Why the result may not say what it seems to: due, overlapping tools, nothing asserted."""
    notes: list[tuple[Mark, str]] = []
    if row.is_due and row.due is not None:
        notes.append((DUE, f"due, {row.due.degree.value}: {', '.join(row.due.reasons)}"))
    warnings: list[str] = []
    if row.is_outdated:
        warnings.append("outdated: this suite was written for another description of the tool")
    result = row.result
    if result is not None:
        if result.response is not None:
            warnings += result.response.notes
        if result.unchecked:
            warnings.append(result.unchecked)
        if result_mark(result) is NOTHING_ASSERTED:
            warnings.append("nothing asserted: this pass means nothing")
    return [*notes, *((OUTDATED, text) for text in warnings)]


def _cut(lines: list[Line], most: int, builder: TextBuilder) -> list[Line]:
    """The first of them, with a mark where that is not all."""
    shown = lines[:most]
    if len(lines) > most:
        mark, room = builder.look.symbols.cut, builder.width - 2
        segments: list[Segment] = []
        # With what fits of the next line, whose first word may be a long name.
        behind = (one for one in lines[most].segments if one.text.strip())
        for text, style, _ in (*shown[-1].segments, Segment(" "), *behind):
            kept = clip(text, room + 1, mark).removesuffix(mark) if width_of(text) > room else text
            segments.append(Segment(kept, style))
            room -= width_of(kept)
            if kept != text:
                break
        last = segments.pop()
        shown[-1] = Line((*segments, Segment(f"{last.text.rstrip()} {mark}", last.style)))
    return shown


def _name(builder: TextBuilder, row: Row) -> list[Part]:
    """`✗ failed  ↓ regressed  ls-move-event-001  postpone`."""
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
        if mark in _SHOWN_MARKS:
            parts += ["  ", builder.mark(ROW_MARK[mark])]
    if result is not None and (judged := result.trials_judged).count > 1:
        parts.append((f"  {judged} attempts", "case-flaky"))
    parts += ["  ", (row.key.case, look.style("strong", bold=is_bold))]
    if row.case.description:
        parts.append((f"  {' '.join(row.case.description.split())}", "quiet"))
    return parts


def _status(row: Row) -> Mark:
    """What the result came to, also where the case is muted."""
    result = row.result
    if result is None:
        return ROW_STATUS[row.status]
    return result_mark(result)


def _facts(row: Row, result: CaseResult, agent: str, now: float) -> list[str]:
    source = result.response.source if result.response else ""
    facts = [agent, "" if source == agent else source, duration_of(row.case, result.duration_ms)]
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
