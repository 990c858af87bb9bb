"""Turns before a response that OpenAI keeps, so that the request for it does not repeat them."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from evaltui.core.json_value import Json, JsonObject
from evaltui.traces.importers.importer import Record
from evaltui.traces.importers.part import Part
from evaltui.traces.importers.trace_builder import TraceBuilder

_BEFORE, _ALL = "previous_response_id", "conversation"
_LAYERS = (("request",), ("request", "body"), (), ("body",), ("response",), ("response", "body"))
"""Where a record tells of a request or a response, below it."""


def without_told(records: Sequence[Record]) -> Sequence[Record]:
    """The records without what they say of earlier turns that another of them tells: the response
    before, or an earlier record of the same conversation."""
    told = {
        Part(layer).text("id") for one in records for layer in _layers(one.value, in_answers=True)
    }
    conversations: set[str] = set()
    found: list[Record] = []
    for record in records:
        names = {_conversation(layer) for layer in _layers(record.value)} - {""}
        before = {Part(layer).text(_BEFORE) for layer in _layers(record.value)} - {""}
        known = [(_BEFORE, before and before <= told), (_ALL, names and names <= conversations)]
        conversations |= names
        value = record.value
        for key in [key for key, is_known in known if is_known]:
            for path in _LAYERS:
                value = _without(value, path, key)
        found.append(record if value is record.value else replace(record, value=value))
    return found


def note_untold(layers: Sequence[Part], trace: TraceBuilder) -> None:
    """Say once that what was said before is not told."""
    for layer in layers:
        if before := layer.text(_BEFORE):
            what = f"what was said before, up to the response `{before[:80]}`"
            trace.note("not_told", what, (*layer.path, _BEFORE))
            return
    for layer in layers:
        if name := _conversation(layer.value):
            what = f"what was said before in the conversation `{name[:80]}`, if anything was"
            trace.note("not_told", what, (*layer.path, _ALL))
            return


def _conversation(layer: JsonObject) -> str:
    """The id of its conversation; empty without one."""
    return Part(layer).text(_ALL) or Part(layer).part(_ALL).text("id")


def _layers(record: JsonObject, *, in_answers: bool = False) -> Iterator[JsonObject]:
    for path in _LAYERS:
        layer = Part(record)
        for key in path:
            layer = layer.part(key)
        if layer.value and not (in_answers and path[:1] == ("request",)):
            yield layer.value


def _without(value: JsonObject, path: Sequence[str], key: str) -> JsonObject:
    """The object without a key of an object in it; itself where there is none."""
    if not path:
        return {name: one for name, one in value.items() if name != key} if key in value else value
    inner: Json = value.get(path[0])
    if not isinstance(inner, dict):
        return value
    left = _without(inner, path[1:], key)
    return value if left is inner else {**value, path[0]: left}
