"""OTLP as JSON: spans that speak of models and tools in OpenTelemetry's words for generative AI."""

from collections.abc import Iterator, Sequence

from evaltui.core.json_value import Json, JsonObject
from evaltui.core.key_path import KeyPath
from evaltui.traces.importers.importer import Record
from evaltui.traces.importers.otlp_values import attributes_of, json_value, moment_ns
from evaltui.traces.importers.part import Part, words
from evaltui.traces.importers.span_messages import SpanMessages
from evaltui.traces.importers.trace_builder import TraceBuilder

KEYS = words("resourceSpans resource_spans spans")
_OUTER = ("resourceSpans", "resource_spans")
_INNER = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans")


def claims(record: JsonObject) -> bool:
    return any(isinstance(record.get(key), list) for key in _OUTER)


def gather(records: Sequence[Record]) -> Sequence[Record]:
    """One record for each trace, with its spans by the time at which they began.

    What holds no span at all stays as it is, so that it is missed and not forgotten.
    """
    traces: dict[str, tuple[Record, list[Json]]] = {}
    empty: list[Record] = []
    for record in records:
        spans = list(_spans(record.value))
        if not spans:
            empty.append(record)
        for path, span in spans:
            said = span.get("traceId", span.get("trace_id"))
            trace_id = said.lower() if isinstance(said, str) else ""
            first = Record(record.value, record.index, (*record.path, *path), record.line, True)
            traces.setdefault(trace_id, (first, []))[1].append(span)
    made = [
        Record({"spans": spans}, first.index, first.path, first.line, True)
        for first, spans in traces.values()
    ]
    return [*made, *empty]


def read(record: Part, trace: TraceBuilder) -> None:
    """What the spans of one trace say happened; those of other things are left out."""
    spans = sorted(trace.parts(record, "spans"), key=_began)
    for span in spans:
        trace.own_trace_id(span.text("traceId", "trace_id").lower())
    has_chats = any(_kind(span) == "chat" for span in spans)
    called = {_call_id(attributes_of(span)) for span in spans if _kind(span) == "tool"} - {""}
    agents: list[SpanMessages] = []
    for span in spans:
        kind = _kind(span)
        if kind == "tool":
            _read_tool(span, trace)
        elif kind == "chat" or (kind == "agent" and not has_chats):
            said = SpanMessages(_as_event(span), attributes_of(span), trace, called)
            said.read_asked()
            if kind == "chat":
                said.read_answered()
            else:
                agents.append(said)
    for said in reversed(agents):  # what an agent ends with comes after all that happened in it
        said.read_answered()


def _spans(document: JsonObject) -> Iterator[tuple[KeyPath, JsonObject]]:
    for outer in _OUTER:
        for index, resource in _objects(document.get(outer)):
            for inner in _INNER:
                for number, scope in _objects(resource.get(inner)):
                    for place, span in _objects(scope.get("spans")):
                        yield (outer, index, inner, number, "spans", place), span


def _objects(value: Json) -> Iterator[tuple[int, JsonObject]]:
    for index, one in enumerate(value if isinstance(value, list) else ()):
        if isinstance(one, dict):
            yield index, one


def _began(span: Part) -> int:
    return moment_ns(span.first("startTimeUnixNano", "start_time_unix_nano")) or 0


def _kind(span: Part) -> str:
    """`chat`, `tool`, `agent`, or empty for a span of something else."""
    said = attributes_of(span)
    operation = said.get("gen_ai.operation.name")
    if operation == "execute_tool":
        return "tool"
    if operation in ("invoke_agent", "create_agent", "invoke_workflow"):
        return "agent"
    is_chat = operation in ("chat", "text_completion", "generate_content")
    is_early = any(key.startswith(("gen_ai.prompt", "gen_ai.completion")) for key in said)
    return "chat" if is_chat or is_early else ""


def _call_id(said: JsonObject) -> str:
    found = said.get("gen_ai.tool.call.id")
    return found if isinstance(found, str) else ""


def _as_event(span: Part) -> Part:
    """The span's ids, times and error in the words that events have for them."""
    began = moment_ns(span.first("startTimeUnixNano", "start_time_unix_nano"))
    ended = moment_ns(span.first("endTimeUnixNano", "end_time_unix_nano"))
    found: dict[str, Json] = {
        "span_id": span.text("spanId", "span_id").lower(),
        "parent_span_id": span.text("parentSpanId", "parent_span_id").lower(),
        "events": span.value.get("events"),
    }
    if began:
        found["timestamp"] = str(began)
    if began and ended and ended >= began:
        found["latency_ms"] = (ended - began) / 1e6
    status = span.part("status")
    if status.value.get("code") in (2, "STATUS_CODE_ERROR", "ERROR"):
        kind = attributes_of(span).get("error.type")
        found["error"] = status.text("message") or (kind if isinstance(kind, str) else True)
    return Part(found, span.path)


def _read_tool(span: Part, trace: TraceBuilder) -> None:
    """A tool that ran: its call, unless a model is known to have made it, and its result."""
    said = attributes_of(span)
    event = _as_event(span)
    name = said.get("gen_ai.tool.name")
    tool = name if isinstance(name, str) else span.text("name").removeprefix("execute_tool ")
    call_id = _call_id(said)
    without = {"span_id": None, "latency_ms": None, "error": None}
    is_known = trace.calls.is_open(call_id) if call_id else trace.calls.has_open(tool)
    if not is_known:
        arguments = json_value(said.get("gen_ai.tool.call.arguments"))
        trace.call(tool, arguments, Part({**event.value, **without}, (*span.path, "call")), call_id)
    result = json_value(said.get("gen_ai.tool.call.result"))
    trace.result(result, event, tool=tool, call_id=call_id)
