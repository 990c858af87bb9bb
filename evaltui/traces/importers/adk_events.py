"""Google's ADK: the events of a session, each with a content of Gemini and who it is from."""

from collections.abc import Iterator, Sequence

from evaltui.core.json_value import Json, JsonObject
from evaltui.traces.importers.gemini_contents import read_content
from evaltui.traces.importers.importer import Record
from evaltui.traces.importers.part import Part, words
from evaltui.traces.importers.trace_builder import TraceBuilder

_EVENT = words(
    """
    id author content timestamp actions branch partial model_version modelVersion
    invocationId invocation_id turnComplete turn_complete finishReason finish_reason
    errorCode error_code errorMessage error_message interrupted
    customMetadata custom_metadata usageMetadata usage_metadata
    longRunningToolIds long_running_tool_ids groundingMetadata grounding_metadata
    """
)
KEYS = _EVENT | words(
    """
    events appName app_name userId user_id state lastUpdateTime last_update_time metadata name
    error usage latency_ms duration_ms trace_id
    """
)
_RUN = ("invocationId", "invocation_id")


def claims(record: JsonObject) -> bool:
    """Whether it has events with an author and a content in parts, or is one."""
    listed = record.get("events")
    events = listed if isinstance(listed, list) else ()
    return _is_event(record) or any(isinstance(one, dict) and _is_event(one) for one in events)


def gather(records: Sequence[Record]) -> Sequence[Record]:
    """One record for each run whose events stand by themselves; anything else stays as it is."""
    return [*_gathered(records)]


def _gathered(records: Sequence[Record]) -> Iterator[Record]:
    runs: dict[str, list[Record]] = {}
    for record in records:
        if run := _run_of(record.value):
            runs.setdefault(run, []).append(record)
    for record in records:
        run = _run_of(record.value)
        if not run:
            yield record
        elif found := runs.pop(run, None):
            events: list[Json] = [one.value for one in found]
            yield Record({"events": events}, record.index, record.path, record.line, True)


def read(record: Part, trace: TraceBuilder) -> None:
    """What was said, called and given back; pieces are left out, which a whole event repeats."""
    events = [record] if _is_event(record.value) else [*trace.parts(record, "events")]
    for event in events:
        if event.value.get("partial") is not True:
            _read_event(event, trace)
    if record.error:
        trace.failed(record.error, record)
    trace.usage_of_all(trace.used(record, "usage"))
    trace.mark({}, record.latency_ms)


def _read_event(event: Part, trace: TraceBuilder) -> None:
    before = len(trace.events)
    content = trace.object(event, "content")
    read_content(content, trace, "user" if event.text("author") == "user" else "model")
    if why := event.text("errorMessage", "error_message", "errorCode", "error_code"):
        trace.failed(why, event)
    used = trace.used(event, "usageMetadata", "usage_metadata")
    (trace.mark if len(trace.events) > before else trace.add_usage)(used)


def _is_event(value: JsonObject) -> bool:
    content = value.get("content")
    has_parts = isinstance(content, dict) and "parts" in content
    is_of_run = bool(Part(value).text(*_RUN)) and "events" not in value
    return isinstance(value.get("author"), str) and (has_parts or is_of_run)


def _run_of(value: JsonObject) -> str:
    """The run that an event which is a record belongs to; empty for anything else."""
    return Part(value).text(*_RUN) if _is_event(value) else ""
