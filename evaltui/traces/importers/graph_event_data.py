"""Messages in the data of LangGraph's events: what was asked, answered and given back."""

from collections.abc import Iterator

from evaltui.core.json_value import Json, JsonObject
from evaltui.core.key_path import KeyPath
from evaltui.traces.importers.graph_messages import messages
from evaltui.traces.importers.part import Part
from evaltui.traces.importers.trace_builder import TraceBuilder


def asked_of(data: Part, trace: TraceBuilder) -> Iterator[Part]:
    """What a graph, or a model, was asked: a model gets a list of such lists."""
    asked = data.part("input")
    listed = asked.value.get("messages")
    if isinstance(listed, list) and len(listed) == 1 and _is_batch(listed[0]):
        inner: JsonObject = {**asked.value, "messages": listed[0]}
        asked = Part(inner, asked.path, asked.outer_time)
    return messages(asked, trace)


def answer_of(data: Part, trace: TraceBuilder) -> Part:
    """The message of a model, which version 1 of the events wraps as a generation."""
    said = data.part("output")
    found = said.value.get("generations")
    while isinstance(found, list) and found:
        if len(found) > 1:
            trace.note("dropped_alternative", "further answers of a model", said.path)
        found = found[0]
    if not isinstance(found, dict):
        return said
    inner = Part(found).part("kwargs").value.get("message", found.get("message"))
    if not isinstance(inner, dict):
        return said
    return said.inner(inner, "generations", 0, 0, "message")


def output_messages(value: Json, path: KeyPath) -> Iterator[tuple[KeyPath, Json]]:
    """A node may give a state, a command with an update of it, several of them, or a message."""
    if isinstance(value, list):
        for index, one in enumerate(value):
            yield from output_messages(one, (*path, index))
    elif isinstance(value, dict) and "messages" in value:
        found = value["messages"]
        is_list = isinstance(found, list)
        for index, one in enumerate(found if isinstance(found, list) else [found]):
            if isinstance(one, list) and len(one) == 2 and isinstance(one[0], str):
                one = {"role": one[0], "content": one[1]}
            yield (*path, "messages", index) if is_list else (*path, "messages"), one
    elif isinstance(value, dict) and isinstance(value.get("update"), dict):
        yield from output_messages(value["update"], (*path, "update"))


def _is_batch(value: Json) -> bool:
    """Whether it is a list of messages, not a pair of a role and a text."""
    return isinstance(value, list) and not any(isinstance(one, str) for one in value)
