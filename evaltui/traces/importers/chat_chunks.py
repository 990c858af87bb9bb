"""Streamed answers of OpenAI's chat completions: the chunks of one, put together."""

from collections.abc import Iterator, Sequence

from evaltui.core.errors import AgentError
from evaltui.core.json_value import Json, JsonObject
from evaltui.traces.importers.importer import Record

CHUNK = "chat.completion.chunk"


def gather(records: Sequence[Record]) -> Sequence[Record]:
    """One record for each answer, where its first chunk stands; anything else stays as it is."""
    chunks: dict[str, list[Record]] = {}
    for record in records:
        if id_ := _answer_of(record):
            chunks.setdefault(id_, []).append(record)
    return list(_put_together(records, chunks))


def _put_together(records: Sequence[Record], chunks: dict[str, list[Record]]) -> Iterator[Record]:
    for record in records:
        id_ = _answer_of(record)
        if not id_:
            yield record
        elif found := chunks.pop(id_, None):
            try:
                whole = _whole([one.value for one in found])
            except AgentError:  # a chunk is broken: each says for itself what cannot be read
                yield from found
            else:
                yield Record(whole, record.index, record.path, record.line, True)


def _answer_of(record: Record) -> str:
    """The id of the answer that it is a chunk of; empty for anything else."""
    id_ = record.value.get("id")
    return id_ if record.value.get("object") == CHUNK and isinstance(id_, str) else ""


def _whole(chunks: Sequence[JsonObject]) -> JsonObject:
    """The answer as it is where it is not streamed. Raises AgentError for a broken chunk."""
    from evaltui.agents.models.openai.answer import read_event  # loads what other exports need not
    from evaltui.agents.models.reply_draft import Draft

    draft = Draft()
    told: dict[str, Json] = {}
    others: dict[str, Json] = {}
    for chunk in chunks:
        read_event(chunk, draft)
        told |= {key: value for key, value in chunk.items() if value is not None}
        choices = chunk.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, dict) and choice.get("index"):
                others[str(choice["index"])] = {"index": choice["index"], "message": {}}
    calls: list[Json] = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": call.whole or "".join(call.pieces)},
        }
        for call in draft.calls
    ]
    text = draft.text if draft.text or not calls else None
    message: Json = {"role": "assistant", "content": text, "tool_calls": calls}
    answer: Json = {"index": 0, "message": message, "finish_reason": draft.finish or None}
    return {**told, "object": "chat.completion", "choices": [answer, *others.values()]}
