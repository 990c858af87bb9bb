"""Streamed answers of OpenAI's Responses: the events of one, put together."""

from collections.abc import Iterator, Sequence
from types import MappingProxyType

from evaltui.core.json_value import Json, JsonObject, object_of
from evaltui.traces.importers.importer import Record

_PREFIX = "response."
START = "response.created"
_ENDS = frozenset({"response.completed", "response.incomplete", "response.failed"})
_ITEMS = frozenset({"response.output_item.added", "response.output_item.done"})
_PIECES = MappingProxyType(
    {
        "response.output_text.delta": "content",
        "response.refusal.delta": "content",
        "response.function_call_arguments.delta": "arguments",
        "response.mcp_call_arguments.delta": "arguments",
        "response.custom_tool_call_input.delta": "input",
    }
)
"""Where in its item a piece goes on; that item replaces it once it is whole."""


def gather(records: Sequence[Record]) -> Sequence[Record]:
    """One record for each answer, where it starts; anything else stays as it is.

    Few events name their answer: those that follow each other are of one, until it ends or the
    next one starts.
    """
    return list(_put_together(records))


def _put_together(records: Sequence[Record]) -> Iterator[Record]:
    events: list[Record] = []
    for record in records:
        kind = _kind(record.value)
        if events and kind in ("", START):
            yield _whole(events)
            events = []
        if not kind:
            yield record
            continue
        events.append(record)
        if kind in _ENDS:
            yield _whole(events)
            events = []
    if events:
        yield _whole(events)


def _kind(record: JsonObject) -> str:
    """The type of an event; empty for anything else."""
    kind = record.get("type")
    if not isinstance(kind, str):
        return ""
    is_one = kind.startswith(_PREFIX) or (kind == "error" and "sequence_number" in record)
    return kind if is_one else ""


def _whole(events: Sequence[Record]) -> Record:
    """The answer as its end tells it, with what came before where that tells no items."""
    first = events[0]
    answer: dict[str, Json] = {"object": "response", "status": "in_progress"}
    items: dict[Json, JsonObject] = {}
    for event in (one.value for one in events):
        kind, place = _kind(event), event.get("output_index")
        place = place if isinstance(place, int) else None
        told = object_of(event.get("response"))
        answer |= {key: value for key, value in told.items() if value is not None}
        if kind in _ITEMS:
            items[place] = object_of(event.get("item"))
        elif key := _PIECES.get(kind):
            items[place] = _longer(items.get(place), key, event.get("delta"))
        elif kind == "error":
            answer["error"] = event.get("error") or {**event, "type": event.get("code")}
    answer["output"] = answer.get("output") or [*items.values()]
    return Record(answer, first.index, first.path, first.line, True)


def _longer(item: JsonObject | None, key: str, piece: Json) -> JsonObject:
    if item is None:
        item = {"type": "message" if key == "content" else "function_call"}
    before = item.get(key)
    before = before if isinstance(before, str) else ""
    return {**item, key: before + piece} if isinstance(piece, str) else item
