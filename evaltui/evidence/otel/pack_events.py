"""The events of a pack, case by case, with ids and times that every reader takes."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from re import compile as pattern
from typing import Any

import msgspec
from msgspec import Struct

from evaltui.core.json_value import JsonObject
from evaltui.core.trace import Event
from evaltui.core.trace_times import latency_of
from evaltui.disk.codec import decode_exactly
from evaltui.files import RESULTS_LIMIT, open_file, read_file
from evaltui.traces.migration import hex_id
from evaltui.traces.mistakes import SuiteMistake, refusal_of
from evaltui.traces.reading import decode_json

UNKNOWN = "unknown"
_TRACE_ID = pattern(r"(?!0{32})[0-9a-f]{32}")
_SPAN_ID = pattern(r"(?!0{16})[0-9a-f]{16}")
LAST = datetime(2200, 1, 1, tzinfo=UTC)
"""Nanoseconds since 1970 must fit in 64 bits."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Row(Event, frozen=True):
    """A line of `run/events.jsonl`."""

    run_id: str = ""
    dataset_id: str = ""
    case_id: str = ""
    source_provider: str | None = None
    provider: str | None = None


class Step(Struct, frozen=True):
    """One event, with ids and times that are valid and its own where it had such."""

    row: Row
    trace_id: str
    span_id: str
    parent_span_id: str | None
    start: datetime
    end: datetime
    is_estimated: bool
    """Whether the start is that of the event before, since the event says none."""

    @property
    def system(self) -> str:
        """Who the event is from: a provider's name, or `unknown`."""
        row = self.row
        said = (
            row.source_provider,
            row.provider,
            row.attributes.get("gen_ai.system"),
            row.attributes.get("gen_ai.provider.name"),
            row.attributes.get("gen_ai.framework"),
        )
        return next((one for one in said if isinstance(one, str) and one), UNKNOWN)


def read_config(pack: Path) -> dict[str, Any]:
    """`run/config.json` of a pack. Raises OSError and SuiteMistake."""
    path = pack / "run" / "config.json"
    found = decode_json(read_file(path), str(path))
    if not isinstance(found, dict):
        raise SuiteMistake(str(path), "", "no object", "Is it an evidence pack?")
    return found


def read_cases(pack: Path, config: JsonObject) -> Iterator[Sequence[Step]]:
    """The steps of each case in turn; only one case is in memory. Raises OSError and SuiteMistake.

    Where a trace id was that of a case before, or is none, it is made of run and case.
    """
    started = _moment(str(config.get("started_at") or "")) or _EPOCH
    seen: set[str] = set()
    for case_id, rows in groupby(_rows(pack), key=lambda row: row.case_id):
        case = [*rows]
        run_id = case[0].run_id
        own = next((one.trace_id.lower() for one in case if one.trace_id), "")
        if not _TRACE_ID.fullmatch(own) or own in seen:
            own = hex_id(32, run_id, case_id)
        seen.add(own)
        yield _steps(case, own, started)


def _rows(pack: Path) -> Iterator[Row]:
    path = pack / "run" / "events.jsonl"
    with open_file(path, RESULTS_LIMIT) as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            place = f"{path}:{number}"
            try:
                yield decode_exactly(Row, line)
            except msgspec.ValidationError as error:
                raise refusal_of(error, place) from None
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                raise SuiteMistake(place, "", "no JSON", "Was the pack cut short?") from None


def _steps(case: Sequence[Row], trace_id: str, started: datetime) -> list[Step]:
    known = (moment for row in case if (moment := _moment(row.ts)) is not None)
    clock = next(known, started)
    made: list[Step] = []
    spans: dict[str, str] = {}
    used: set[str] = set()
    for row in case:
        moment = _moment(row.ts)
        start = clock if moment is None else moment
        took = timedelta(milliseconds=latency_of(row) or 0.0)
        clock = min(start + took, LAST)
        said = (row.span_id or "").lower()
        span = said if _SPAN_ID.fullmatch(said) else hex_id(16, row.run_id, row.case_id, row.idx)
        while span in used:
            span = hex_id(16, span)
        used.add(span)
        spans.setdefault(said, span)
        outer = (row.parent_span_id or "").lower()
        parent = spans.get(outer, outer)
        if not _SPAN_ID.fullmatch(parent) or parent == span:
            parent = ""
        made.append(Step(row, trace_id, span, parent or None, start, clock, moment is None))
    return made


def _moment(text: str) -> datetime | None:
    """A time in UTC, where a text says one that fits; without a zone it is UTC already."""
    try:
        found = datetime.fromisoformat(text)
        found = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return found if _EPOCH <= found <= LAST else None


def nanoseconds(moment: datetime) -> int:
    """Since 1970."""
    return (moment - _EPOCH) // timedelta(microseconds=1) * 1000
