"""Streamed answers of Gemini: the pieces of one, put together."""

from collections.abc import Sequence

from evaltui.core.json_value import Json, JsonObject
from evaltui.traces.importers.chunks import put_together
from evaltui.traces.importers.gemini_calls import goes_on_in, joined
from evaltui.traces.importers.importer import Record

_ID = ("responseId", "response_id")
_SAID_WITH = frozenset({"contents", "request", "response", "predictions"})


def gather(records: Sequence[Record]) -> Sequence[Record]:
    """One record for each answer; anything else stays as it is."""
    return put_together(records, _answer_of, _whole)


def can_be_piece(value: JsonObject) -> bool:
    """Whether it tells of an answer alone, as a piece of a stream does."""
    return value.keys().isdisjoint(_SAID_WITH)


def _answer_of(value: JsonObject) -> str:
    ids = (id_ for key in _ID if isinstance(id_ := value.get(key), str))
    return next(ids, "") if can_be_piece(value) else ""


def _whole(pieces: Sequence[JsonObject]) -> JsonObject:
    """The answer as it is where it is not streamed: what was told last holds, parts follow."""
    told: dict[str, Json] = {}
    candidates: dict[int, dict[str, Json]] = {}
    for piece in pieces:
        told |= _told(piece)
        listed = piece.get("candidates")
        for place, candidate in enumerate(listed if isinstance(listed, list) else ()):
            if isinstance(candidate, dict):
                number = candidate.get("index")
                number = number if isinstance(number, int) else place
                candidates[number] = _joined(candidates.get(number, {}), candidate)
    return {**told, "candidates": [candidates[number] for number in sorted(candidates)]}


def _told(value: JsonObject) -> JsonObject:
    return {key: one for key, one in value.items() if one is not None}


def _joined(before: JsonObject, piece: JsonObject) -> dict[str, Json]:
    content = before.get("content")
    more = piece.get("content")
    if isinstance(content, dict) and isinstance(more, dict):
        more = {**content, **_told(more), "parts": _parts(content, more)}
    elif not isinstance(more, dict):
        more = content
    return {**before, **_told(piece), "content": more}


def _parts(*contents: JsonObject) -> list[Json]:
    """Text goes on in the part before it, where both are thought or both are said, and a call in
    the piece after it."""
    parts: list[Json] = []
    for content in contents:
        listed = content.get("parts")
        for part in listed if isinstance(listed, list) else ():
            last = parts[-1] if parts else None
            if isinstance(last, dict) and isinstance(part, dict) and _goes_on(last, part):
                parts[-1] = {**last, **_told(part), "text": f"{last['text']}{part['text']}"}
            elif isinstance(last, dict) and isinstance(part, dict) and goes_on_in(last, part):
                parts[-1] = joined(last, part)
            else:
                parts.append(part)
    return parts


def _goes_on(last: JsonObject, part: JsonObject) -> bool:
    are_texts = all(isinstance(one.get("text"), str) for one in (last, part))
    return are_texts and bool(last.get("thought")) == bool(part.get("thought"))
