"""LangGraph: the messages of a state, the events of a stream, or steps."""

from collections.abc import Sequence

from evaltui.core.json_value import Json, JsonObject
from evaltui.traces.importers.graph_events import is_stream_event, read_events, root_of
from evaltui.traces.importers.graph_messages import messages, read_message
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


def claims(record: JsonObject) -> bool:
    """Whether it has messages or events as LangChain writes them."""
    if is_stream_event(record) or _is_update(record):
        return True
    for layer in _layers(Part(record)):
        listed = layer.value.get("messages")
        for one in listed if isinstance(listed, list) else ():
            if isinstance(one, dict) and (Part(one).text("type") in _TYPES or one.get("lc") == 1):
                return True
    events = record.get("events")
    listed = events if isinstance(events, list) else ()
    return any(isinstance(one, dict) and is_stream_event(one) for one in listed)


def gather(records: Sequence[Record]) -> Sequence[Record]:
    """Events of a stream, or what else it tells, each a record, as one record for each run."""
    runs: dict[Json, tuple[Record, list[Json]]] = {}
    others: list[Record] = []
    last_root = ""
    for record in records:
        if not is_stream_event(record.value):
            others.append(record)
            continue
        key = root_of(record.value)
        if key is None:
            key = last_root
        last_root = key
        runs.setdefault(key, (record, []))[1].append(record.value)
    made = [
        Record({"events": events}, first.index, first.path, first.line, True)
        for first, events in runs.values()
    ]
    others = [*last_states(gather_stream(others, KEYS))]
    return sorted([*made, *others], key=lambda record: record.index)


def read(record: Part, trace: TraceBuilder) -> None:
    for layer in _layers(record):
        for message in messages(layer, trace):
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
        read_events([*trace.parts(record, "events", "steps")], trace)
    if record.error:
        trace.failed(record.error, record)
    trace.usage_of_all(trace.used(record, "usage"))
    trace.mark({}, record.latency_ms)


def _layers(record: Part) -> list[Part]:
    inner = [record.part(key) for key in ("values", "state", "output", "outputs")]
    return [record, *(one for one in inner if one.value)]


def _is_update(record: JsonObject) -> bool:
    """Whether it was streamed, with a message in it as LangChain writes it."""
    messages = (message for _, message in messages_in(entry_of(record, KEYS) or {}))
    return any(Part(one).text("type") in _TYPES or one.get("lc") == 1 for one in messages)
