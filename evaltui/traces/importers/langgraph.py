"""LangGraph: the messages of a state, the events of a stream, or steps."""

from collections.abc import Iterator, Sequence

from evaltui.core.json_value import Json, JsonObject
from evaltui.traces.importers.chat_messages import TOOL_FAILED, read_chat_message
from evaltui.traces.importers.graph_states import last_states
from evaltui.traces.importers.graph_stream import (
    entry_of,
    gather_stream,
    incomplete_messages,
    messages_of,
)
from evaltui.traces.importers.graph_updates import entries_of, messages_in, unread_in
from evaltui.traces.importers.importer import Record
from evaltui.traces.importers.part import Part, words
from evaltui.traces.importers.steps import read_step
from evaltui.traces.importers.trace_builder import TraceBuilder

KEYS = words(
    """
    id messages events steps values state output input run_id thread_id graph graph_id metadata name
    checkpoint checkpoint_id config parent_config tasks interrupts next created_at ts timestamp
    framework event data tags parent_ids error usage latency_ms duration_ms trace_id attributes
    inputs outputs run_type serialized extra reference_example_id parent_run_id attachments
    session_name session_id dotted_order start_time end_time
    dangerously_allow_filesystem manifest_id app_path feedback_stats in_dataset
    """
)
_TYPES = frozenset({"human", "ai", "AIMessage", "HumanMessage", "ToolMessage", "AIMessageChunk"})
_CONTENT = frozenset({"tool_use", "thinking", "reasoning", "function_call", "redacted_thinking"})
"""Blocks of a content that are calls, told by `tool_calls` too, or thoughts."""


def claims(record: JsonObject) -> bool:
    """Whether it has messages or events as LangChain writes them."""
    if _is_stream_event(record) or _is_update(record):
        return True
    for layer in _layers(Part(record)):
        messages = layer.value.get("messages")
        for one in messages if isinstance(messages, list) else ():
            if isinstance(one, dict) and (Part(one).text("type") in _TYPES or one.get("lc") == 1):
                return True
    events = record.get("events")
    listed = events if isinstance(events, list) else ()
    return any(isinstance(one, dict) and _is_stream_event(one) for one in listed)


def gather(records: Sequence[Record]) -> Sequence[Record]:
    """Events of a stream, or what else it tells, each a record, as one record for each run."""
    runs: dict[Json, tuple[Record, list[Json]]] = {}
    others: list[Record] = []
    for record in records:
        if not _is_stream_event(record.value):
            others.append(record)
            continue
        outer = record.value.get("parent_ids")
        root = outer[0] if isinstance(outer, list) and outer else record.value.get("run_id")
        key = root if isinstance(root, str) else ""
        runs.setdefault(key, (record, []))[1].append(record.value)
    made = [
        Record({"events": events}, first.index, first.path, first.line, True)
        for first, events in runs.values()
    ]
    others = [*last_states(gather_stream(others, KEYS))]
    return sorted([*made, *others], key=lambda record: record.index)


def read(record: Part, trace: TraceBuilder) -> None:
    for layer in _layers(record):
        for message in _messages(layer, trace):
            read_message(message, trace)
    for path in unread_in(record):
        trace.note("not_an_object", "an entry of `messages` is not an object", path)
    for message in messages_of(record):
        read_message(message, trace)
    for id_ in incomplete_messages(record):
        trace.note("dropped_item", f"pieces of a message `{id_[:40]}` that nothing tells whole", ())
    is_streamed = any(True for _ in entries_of(record))
    if is_streamed and trace.events and all(one["actor"] != "user" for one in trace.events):
        what = "what the user said, which updates do not repeat: stream `values` beside them"
        trace.note("not_told", what, ())
    if not trace.events:
        for step in trace.parts(record, "events", "steps"):
            if _is_stream_event(step.value):
                _read_event(step, trace)
            else:
                read_step(step, trace)
    if record.error:
        trace.failed(record.error, record)
    trace.usage_of_all(trace.used(record, "usage"))
    trace.mark({}, record.latency_ms)


def read_message(said: Part, trace: TraceBuilder) -> None:
    """A message of LangChain, as it stands or as its dumps wrap it."""
    for wrap in ("kwargs", "data"):
        if said.part(wrap).value:
            inner = said.part(wrap)
            said = Part({"type": _type(said), **inner.value}, inner.path, inner.outer_time)
    content = said.value.get("content")
    if isinstance(content, list):
        content = [
            one
            for one in content
            if not isinstance(one, dict) or Part(one).text("type") not in _CONTENT
        ]
    role = said.text("role") or _type(said)
    changed: dict[str, Json] = {**said.value, "role": role}
    if "content" in said.value:
        changed["content"] = content
    read_chat_message(Part(changed, said.path, said.outer_time), trace)
    about = said.part("response_metadata")
    if about.value and role in ("ai", "assistant"):
        reason = about.text("finish_reason", "stop_reason")
        trace.mark(
            {
                "gen_ai.response.model": about.text("model_name", "model"),
                "gen_ai.response.finish_reasons": [reason] if reason else [],
            }
        )
        trace.usage(about.part("token_usage", "usage"))


def _messages(part: Part, trace: TraceBuilder) -> Iterator[Part]:
    """Messages, of which some may be pairs of a role and a text."""
    listed = part.value.get("messages")
    if isinstance(listed, list):
        whole = [
            {"role": one[0], "content": one[1]}
            if isinstance(one, list) and len(one) == 2 and isinstance(one[0], str)
            else one
            for one in listed
        ]
        part = Part({**part.value, "messages": whole}, part.path, part.outer_time)
    return trace.parts(part, "messages")


def _type(said: Part) -> str:
    """`human`, `ai`, `tool` or `system`, from a type or the name of a class."""
    named = said.value.get("id")
    name = named[-1] if isinstance(named, list) and named else said.value.get("type")
    return str(name).removesuffix("Chunk").removesuffix("Message").lower()


def _layers(record: Part) -> list[Part]:
    inner = [record.part(key) for key in ("values", "state", "output", "outputs")]
    return [record, *(one for one in inner if one.value)]


def _is_update(record: JsonObject) -> bool:
    """Whether it was streamed, with a message in it as LangChain writes it."""
    messages = (message for _, message in messages_in(entry_of(record, KEYS) or {}))
    return any(Part(one).text("type") in _TYPES or one.get("lc") == 1 for one in messages)


def _is_stream_event(record: JsonObject) -> bool:
    event = record.get("event")
    return isinstance(event, str) and event.startswith("on_") and "data" in record


def _read_event(event: Part, trace: TraceBuilder) -> None:
    kind, data = event.text("event"), event.part("data")
    run = event.text("run_id")
    if kind == "on_chain_start" and not trace.events:
        for message in _messages(data.part("input"), trace):
            read_message(message, trace)
    elif kind == "on_chat_model_end" and data.part("output").value:
        read_message(_with_type(data.part("output"), "ai"), trace)
    elif kind == "on_tool_start":
        if not trace.calls.has_open(event.text("name")):
            trace.call(event.text("name"), data.first("input"), event, run)
    elif kind == "on_tool_end":
        answer = data.part("output")
        if answer.text("type") == "tool" or "kwargs" in answer.value:
            read_message(answer, trace)
        else:
            trace.result(data.value.get("output"), event, tool=event.text("name"))
    elif kind == "on_tool_error":
        why = data.error or TOOL_FAILED
        trace.result(None, event, tool=event.text("name"), error=why)


def _with_type(message: Part, type_: str) -> Part:
    return Part({"type": type_, **message.value}, message.path, message.outer_time)
