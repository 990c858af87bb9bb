"""Streamed answers of OpenAI's chat completions: the chunks of one, put together."""

from collections.abc import Sequence

from evaltui.core.json_value import Json, JsonObject, object_of
from evaltui.traces.importers.chunks import put_together
from evaltui.traces.importers.importer import Record

CHUNK = "chat.completion.chunk"


def gather(records: Sequence[Record]) -> Sequence[Record]:
    """One record for each answer; anything else stays as it is."""
    return put_together(records, _answer_of, _whole)


def _answer_of(value: JsonObject) -> str:
    id_ = value.get("id")
    return id_ if value.get("object") == CHUNK and isinstance(id_, str) else ""


def _whole(chunks: Sequence[JsonObject]) -> JsonObject:
    """The answer as it is where it is not streamed. Raises AgentError for a broken chunk."""
    from evaltui.agents.models.openai.answer import read_event  # loads what other exports need not
    from evaltui.agents.models.reply_draft import Draft

    draft = Draft()
    told: dict[str, Json] = {}
    others: dict[str, Json] = {}
    spoken: dict[str, Json] = {}
    beside: dict[str, Json] = {}
    for chunk in chunks:
        read_event(chunk, draft)
        told |= {key: value for key, value in chunk.items() if value is not None}
        if used := object_of(chunk.get("x_groq")).get("usage"):
            told["usage"] = used
        choices = chunk.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, dict) and choice.get("index"):
                others[str(choice["index"])] = {"index": choice["index"], "message": {}}
            elif isinstance(choice, dict):
                delta = object_of(choice.get("delta"))
                _hear(object_of(delta.get("audio")), spoken)
                _add(delta, beside)
    calls: list[Json] = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": call.whole or "".join(call.pieces)},
        }
        for call in draft.calls
    ]
    text = draft.text if draft.text or not calls else None
    said: dict[str, Json] = {
        "role": "assistant",
        "content": text,
        "tool_calls": calls,
        "audio": spoken,
    }
    answer: Json = {
        "index": 0,
        "message": {**beside, **said},
        "finish_reason": draft.finish or None,
    }
    return {**told, "object": "chat.completion", "choices": [answer, *others.values()]}


_READ = frozenset({"tool_calls", "function_call", "audio"})
"""Lists and objects whose pieces are put together otherwise."""


def _add(delta: JsonObject, beside: dict[str, Json]) -> None:
    """Add what a piece tells in keys of its provider; of entries with one `index` the last."""
    for key, value in delta.items():
        if key in _READ:
            continue
        if isinstance(value, list):
            known = beside.get(key)
            found = known if isinstance(known, list) else []
            again = [one["index"] for one in value if isinstance(one, dict) and "index" in one]
            kept = [
                one for one in found if not (isinstance(one, dict) and one.get("index") in again)
            ]
            beside[key] = [*kept, *value]
        elif isinstance(value, dict) and value:
            beside[key] = value


def _hear(piece: JsonObject, spoken: dict[str, Json]) -> None:
    """Add a piece of what is spoken, which tells the next words or more about all of it."""
    words = f"{spoken.get('transcript', '')}{piece.get('transcript', '')}"
    spoken |= piece
    if words:
        spoken["transcript"] = words
