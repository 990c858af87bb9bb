"""A trace as a timeline: who did what with which tool, and how long it took."""

import json
from collections.abc import Iterator, Mapping, Sequence

from evaltui.core.case import TraceCase
from evaltui.core.json_value import Json
from evaltui.core.trace import ASKING_ACTORS, Event
from evaltui.core.trace_times import latencies_ms, latency_of
from evaltui.core.verdict import Verdict
from evaltui.tui.render.clip import clip, fit
from evaltui.tui.render.glyphs import FAILED
from evaltui.tui.render.sanitize import one_line
from evaltui.tui.render.text_builder import Part, TextBuilder, cells
from evaltui.tui.render.values import paint_json, pretty
from evaltui.tui.render.verdict_table import write_verdict_tables
from evaltui.tui.render.verdicts import FIRST
from evaltui.tui.render.words import count, duration

MOST = 400
"""Events that are shown before somebody asks for more of them."""
WIDE = 92
"""Cells from which what was said stands beside who said it."""
_BAR = 8
_TIME = 6
_STYLES = {"user": "code-key", "system": "quiet", "tool": "code-number"}
_AGENT = "case-passed"


def write_events(builder: TextBuilder, case: TraceCase, verdicts: Sequence[Verdict]) -> None:
    """A line for each event, which unfolds to all of it, and the judges' verdicts below.

    An event that a failed judge names is marked.
    """
    trace = case.trace
    if not trace:
        builder.write(("no event in this trace", "quiet"))
    else:
        latencies = latencies_ms(trace)
        took = f", {duration(sum(latencies))}" if latencies else ", no time told"
        builder.write((f"{count(len(trace), 'event')}{took}", "quiet"))
        columns = _Columns(builder, trace)
        blamed = set(blamed_events(trace, verdicts))
        shown = builder.shown("events", MOST)
        for at, event in enumerate(trace[:shown]):
            _write_event(builder, columns, event, at, is_blamed=at in blamed)
        builder.more("events", len(trace) - shown, "event", MOST)
    if verdicts:
        write_verdict_tables(builder, verdicts, within="events:", anchor=FIRST)


def blamed_events(trace: Sequence[Event], verdicts: Sequence[Verdict]) -> Iterator[int]:
    """Places of the events that verdicts which decide name: by `event_idx`, or by their tool."""
    numbers: set[int] = set()
    tools: set[str] = set()
    for verdict in verdicts:
        if verdict.gates:
            numbers.update(_numbers(verdict.evidence))
            named = verdict.evidence.get("forbidden_tools_used")
            if isinstance(named, list | tuple):
                tools.update(one for one in named if isinstance(one, str))
    for at, event in enumerate(trace):
        if event.idx in numbers or (event.type == "tool_call" and event.tool in tools):
            yield at


def _numbers(value: Json) -> Iterator[int]:
    if isinstance(value, Mapping):
        found = value.get("event_idx")
        if isinstance(found, int):
            yield found
        for one in value.values():
            yield from _numbers(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _numbers(one)


class _Columns:
    """Widths that all lines of one trace share."""

    def __init__(self, builder: TextBuilder, trace: Sequence[Event]) -> None:
        self.look, width = builder.look, builder.width
        self.number = max(len(str(one.idx)) for one in trace)
        self.number = min(self.number, 6)
        self.actor = min(9, max(len(one.actor) for one in trace))
        self.type = min(11, max(len(one.type) for one in trace))
        self.longest = max(latencies_ms(trace), default=0.0)
        self.is_wide = width >= WIDE
        self.bar = (_BAR if width >= 56 else 4) if self.longest else 0
        self.end = self.bar + 1 + _TIME + 1 if self.longest else 0
        self.rest = max(8, width - (2 + self.number + 1 + self.actor + 1 + self.type + 1))

    def bar_of(self, latency: float | None) -> tuple[Part, ...]:
        """A blank, the share of the longest one, and the time; nothing where no time is told."""
        if not self.longest:
            return ()
        if latency is None:
            return ((" " * self.end, "quiet"),)
        full = min(self.bar, max(1, round(self.bar * latency / self.longest)))
        signs = self.look.symbols
        is_longest = latency == self.longest
        return (
            " ",
            (signs.bar_full * full, "case-stale" if is_longest else "code-key"),
            (" " * (self.bar - full), ""),
            (f" {duration(latency):>{_TIME}}", "strong" if is_longest else "quiet"),
        )


def _write_event(
    builder: TextBuilder, columns: _Columns, event: Event, at: int, *, is_blamed: bool
) -> None:
    look = builder.look
    name = f"event:{at}"
    is_open, triangle = builder.opens(name)
    mark = look.symbol(FAILED) if is_blamed or event.error else triangle
    style = FAILED.variable if is_blamed or event.error else "quiet"
    who = _STYLES.get(event.actor, _AGENT)
    cut = look.symbols.cut
    before: tuple[Part, ...] = (
        (f"{mark} ", style),
        (f"{fit_right(str(event.idx), columns.number, cut)} ", "quiet"),
        (f"{fit(event.actor, columns.actor, cut)} ", who),
        (f"{fit(event.type, columns.type, cut)} ", "quiet"),
    )
    strong = look.style("strong", bold=True)
    said = glimpse(said_of(event))
    end = columns.bar_of(latency_of(event))
    indent = 0 if columns.is_wide else 2 + columns.number + 1
    room = columns.rest - columns.end if columns.is_wide else builder.width - indent
    tool = clip(event.tool or "", room, cut)
    about: tuple[Part, ...] = ((tool, strong), " ") if tool else ()
    room = max(0, room - cells(about))

    def whole() -> str:
        return pretty(_document(event))

    if columns.is_wide:
        about = (*about, (fit(said, room, cut), _style_of(event)), *end)
    else:
        before = (*before, " " * max(0, columns.rest - columns.end), *end)
    if not columns.is_wide and (about or said):
        builder.write(*before, fold=name, pages=int(is_open), copy=whole)
        builder.write(*about, (clip(said, room, cut), _style_of(event)), indent=indent, copy=whole)
    else:
        about = about if columns.is_wide else ()
        builder.write(*before, *about, fold=name, pages=int(is_open), copy=whole)
    if is_open:
        _write_whole(builder, event, name)


def _style_of(event: Event) -> str:
    return "case-failed" if event.error else "foreground"


def said_of(event: Event) -> Json:
    """What matters most of it: its error, else what it put in or out."""
    if event.error:
        return event.error
    first, second = event.input, event.output
    if event.type == "tool_result" or (event.actor not in ASKING_ACTORS and not event.tool):
        first, second = second, first
    return first if first is not None else second


def glimpse(value: Json, most: int = 300) -> str:
    """The beginning of a value on one line, however large it is: never more than is looked at."""
    if value is None:
        return ""
    if isinstance(value, str):
        return one_line(value[:most])
    pieces: list[str] = []
    length = 0
    for piece in json.JSONEncoder(ensure_ascii=False).iterencode(value):
        pieces.append(piece[:most])
        length += len(piece)
        if length >= most:
            break
    return one_line("".join(pieces)[:most])


def _write_whole(builder: TextBuilder, event: Event, name: str) -> None:
    """Everything that the event says, key by key."""
    for key, value in _document(event).items():
        if value in (None, "", {}) or key in ("idx", "actor", "type", "tool"):
            continue
        is_text = isinstance(value, str)
        text = value if isinstance(value, str) else pretty(value)
        builder.long(
            text,
            f"{name}:{key}",
            before=((f"{key} ", "code-key"),),
            style="case-failed" if key == "error" else "foreground",
            indent=4,
            hang=2,
            paint=None if is_text else paint_json,
        )


def _document(event: Event) -> dict[str, Json]:
    return {key: getattr(event, key) for key in event.__struct_fields__}


def fit_right(text: str, width: int, cut: str) -> str:
    """Exactly `width` cells, numbers at their right."""
    return f"{clip(text, width, cut):>{width}}"
