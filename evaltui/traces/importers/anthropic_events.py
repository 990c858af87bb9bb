"""Streamed answers of Anthropic's messages: the events of one, put together."""

from collections.abc import Iterator, Sequence

from evaltui.core.json_value import Json, JsonObject, object_of
from evaltui.traces.importers.importer import Record

START = "message_start"
_EVENTS = frozenset(
    {
        *(START, "message_delta", "message_stop", "ping", "error"),
        *("content_block_start", "content_block_delta", "content_block_stop"),
    }
)
_TWICE = frozenset({"text", "input_json", "thinking", "signature", "citation"})
"""What some SDKs tell of each piece beside its event: the same once more, with all so far."""
_PIECES = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "input_json_delta": "partial_json",
}
"""Where a delta has its piece; that of an input goes on in `input`, any other where it stands."""


def is_event(record: JsonObject) -> bool:
    """Whether it is an event of such a stream, by its form."""
    kind = record.get("type")
    if not isinstance(kind, str) or "sequence_number" in record:  # as events of OpenAI have
        return False
    return kind in _EVENTS or (kind in _TWICE and record.keys().isdisjoint(("role", "content")))


def gather(records: Sequence[Record]) -> Sequence[Record]:
    """One record for each answer, where it starts; anything else stays as it is.

    Events name no answer: those that follow each other are of the one that started last.
    """
    return list(_put_together(records))


def _put_together(records: Sequence[Record]) -> Iterator[Record]:
    started: list[Record] = []
    for record in records:
        is_start, is_one = record.value.get("type") == START, is_event(record.value)
        if started and (is_start or not is_one):
            yield _whole(started)
            started = []
        if is_start or (started and is_one):
            started.append(record)
        else:
            yield record
    if started:
        yield _whole(started)


def _whole(events: Sequence[Record]) -> Record:
    first = events[0]
    message = {**object_of(first.value.get("message"))}
    usage = {**object_of(message.get("usage"))}
    blocks: dict[Json, dict[str, Json]] = {}
    for event in (one.value for one in events[1:]):
        delta = object_of(event.get("delta"))
        match event.get("type"):
            case "content_block_start":
                blocks[_index(event)] = {**object_of(event.get("content_block"))}
            case "content_block_delta":
                _add(blocks.setdefault(_index(event), {}), delta)
            case "message_delta":
                message |= delta
                told = object_of(event.get("usage"))
                usage |= {key: value for key, value in told.items() if value is not None}
            case "error":
                message["error"] = event.get("error")
            case _:
                pass
    content = [block for _, block in sorted(blocks.items(), key=lambda pair: str(pair[0]).zfill(9))]
    whole: JsonObject = {"type": "message", **message, "usage": usage, "content": content}
    return Record(whole, first.index, first.path, first.line, True)


def _index(event: JsonObject) -> Json:
    index = event.get("index")
    return index if isinstance(index, int) else None


def _add(block: dict[str, Json], delta: JsonObject) -> None:
    key = _PIECES.get(str(delta.get("type")), "")
    piece = delta.get(key)
    if not isinstance(piece, str):
        return
    key = "input" if key == "partial_json" else key
    before = block.get(key)  # an input starts as an empty object, of which nothing goes on
    block[key] = before + piece if isinstance(before, str) else piece
