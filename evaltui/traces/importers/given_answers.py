"""Answers of models, which later requests repeat, maybe with other ids of the calls in them."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from json import dumps
from typing import TypeAlias

from evaltui.core.json_value import Json, JsonObject
from evaltui.traces.importers.otlp_values import json_value
from evaltui.traces.importers.part import Part
from evaltui.traces.importers.roles import actor_of, between_texts

THOUGHTS = frozenset({"reasoning", "thinking", "redacted_thinking"})
"""Types of parts that say nothing of what an agent did."""
_TOLD_ONCE = frozenset({"finish_reason", "reasoning", "reasoning_content"})
_OF_ONE_TELLING = frozenset({"id", "call_id", "tool_call_id", "tool_use_id", "index"})
"""Keys that may differ between two tellings of one message."""


Said: TypeAlias = tuple[str, str]
"""A digest of all that was said before, and a message, as they are the same in each telling."""


class GivenAnswers:
    """What was answered to which messages: in a request those messages and then that answer are no
    new answer, whatever ids its calls have there, or if they have none.
    """

    def __init__(self) -> None:
        self._given: dict[Said, Sequence[str]] = {}
        """The ids of the calls of each."""
        self._made: set[str] = {""}
        self._ids: dict[str, str] = {}
        """By an id that a request has for a call, the one that the answer has."""
        self._awaited: list[str] = []
        """Ids of the calls of an answer whose repetition has none, until their results come."""

    def give(self, answer: JsonObject, said: Said) -> None:
        """`said`: of the answer."""
        ids = [*_call_ids(answer)]
        self._given[said] = ids
        self._made.update(ids)

    def is_given(self, message: JsonObject, said: Said) -> bool:
        """Whether a message of a request, of which `said` is, repeats an answer that was given."""
        told = self._given.get(said)
        if told is None:
            return False
        here = [*_call_ids(message)]
        pairs = zip(here, told, strict=False)
        self._ids |= {one: other for one, other in pairs if one not in self._made and other}
        self._awaited = [] if any(here) else [*told]
        return True

    def with_given_id(self, message: JsonObject) -> JsonObject:
        """The message with the ids that its results have where the answer was given."""
        parts = message.get("parts")
        if isinstance(parts, list):
            return {**message, "parts": [*map(self._with_id, parts)]}
        if "tool_call_id" in message and actor_of(message.get("role")) == "tool":
            return {**message, "tool_call_id": self._id(message.get("tool_call_id"))}
        return message

    def _with_id(self, part: Json) -> Json:
        if not isinstance(part, dict) or part.get("type") != "tool_call_response":
            return part
        return {**part, "id": self._id(part.get("id"))}

    def _id(self, told: Json) -> Json:
        if not told and self._awaited:
            return self._awaited.pop(0)
        return self._ids.get(told, told) if isinstance(told, str) else told


def in_order(messages: Iterable[JsonObject], before: str = "") -> Iterator[Said]:
    """For each message what was said; those of the system count for none, as they may change."""
    for message in messages:
        said = before, dumps(_without_ids(_plain(message)), sort_keys=True)
        yield said
        before = after(said, message)


def after(said: Said, message: JsonObject) -> str:
    """The digest once this message was said too."""
    if actor_of(message.get("role")) == "system":
        return said[0]
    return sha256("".join(said).encode()).hexdigest()


def told_as(message: JsonObject) -> str:
    """The same for two tellings of one message."""
    return dumps(_plain(message), sort_keys=True)


def _without_ids(value: Json) -> Json:
    """Without ids and what is empty, but in what a tool was called with or gave back."""
    if isinstance(value, list):
        return [*map(_without_ids, value)]
    if not isinstance(value, dict):
        return value
    return {
        key: json_value(one) if key in _OF_TOOLS else _without_ids(one)
        for key, one in value.items()
        if key not in _OF_ONE_TELLING and one not in (None, "", [])
    }


_OF_TOOLS = frozenset({"arguments", "args", "input", "response", "result"})


def _call_ids(message: JsonObject) -> Iterator[str]:
    """In the order of the calls; empty for one without an id."""
    for key in ("parts", "tool_calls"):
        listed = message.get(key)
        for one in listed if isinstance(listed, list) else ():
            if isinstance(one, dict) and (key == "tool_calls" or one.get("type") == "tool_call"):
                yield Part(one).text("id")


def _plain(message: JsonObject) -> JsonObject:
    """What two tellings of one message have in common: thoughts are not always repeated, and texts
    that follow each other may be one in the next request."""
    found = {key: value for key, value in message.items() if key not in _TOLD_ONCE}
    for key in ("parts", "content"):
        listed = found.get(key)
        if isinstance(listed, list):
            found[key] = _joined(listed, between_texts(message.get("role")))
        elif isinstance(listed, str):
            found[key] = [listed]
    return found


def _joined(parts: Sequence[Json], between: str) -> list[Json]:
    """Each text as itself, anything else in a list of its own, so that it is taken for none."""
    found: list[Json] = []
    for one in parts:
        part = Part(one) if isinstance(one, dict) else Part({})
        kind, text = part.text("type"), part.first("content", "text")
        if kind == "text" and isinstance(text, str):
            before = found.pop() if found and isinstance(found[-1], str) else None
            found.append(text if before is None else f"{before}{between}{text}")
        elif kind == "tool_call":
            found.append([{**part.value, "arguments": json_value(part.value.get("arguments"))}])
        elif kind not in THOUGHTS:
            found.append([one])
    return found
