"""What a trace must be so that it can be judged and replayed."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache

from evaltui.core.trace import Event
from evaltui.core.trace_times import is_negative

_ID = re.compile(r"[0-9a-fA-F]+")


def replay_issues(trace: Sequence[Event]) -> tuple[str, ...]:
    """All that is wrong with its places, ids, times and calls; nothing for a good trace."""
    return tuple(_issues(trace))


def _issues(trace: Sequence[Event]) -> Iterator[str]:
    expected = 0
    spans: set[str] = set()
    for event in trace:
        at = f"event {event.idx}"
        if event.idx != expected:
            yield f"idx {event.idx} where {expected} was expected"
        expected = event.idx + 1
        if not event.actor:
            yield f"{at}: actor is empty"
        if not event.type:
            yield f"{at}: type is empty"
        if event.type == "tool_call" and not event.tool:
            yield f"{at}: a tool_call without tool"
        if is_negative(event):
            yield f"{at}: latency_ms is negative"
        for name, digits in (("trace_id", 32), ("span_id", 16), ("parent_span_id", 16)):
            id_ = getattr(event, name)
            if id_ and (len(id_) != digits or not _ID.fullmatch(id_)):
                yield f"{at}: {name} is not {digits} hex digits"
        if event.span_id:
            if event.span_id in spans:
                yield f"{at}: span_id stands twice"
            spans.add(event.span_id)
        if event.ts and not _is_time(event.ts):
            yield f"{at}: ts is no ISO 8601 time"


@lru_cache(4096)
def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
