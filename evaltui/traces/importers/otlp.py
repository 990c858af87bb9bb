"""OTLP as JSON: model and tool spans in OpenTelemetry's conventions for generative AI."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice

from evaltui.core.json_value import Json, JsonObject
from evaltui.traces.importers.adk_values import tool_value
from evaltui.traces.importers.content_parts import TOOL_FAILED
from evaltui.traces.importers.content_parts import result_text as chat_result
from evaltui.traces.importers.given_answers import GivenAnswers
from evaltui.traces.importers.importer import Record
from evaltui.traces.importers.nested_chats import NestedChats
from evaltui.traces.importers.otlp_spans import (
    OUTER,
    SILENT,
    STEP,
    began_at,
    call_id_of,
    kinds_of,
    objects_in,
    once_each,
    operation_of,
    provider_of,
    spans_of,
    without_echoes,
)
from evaltui.traces.importers.otlp_values import (
    ESTIMATED,
    LATENCY_UNKNOWN,
    attributes_of,
    json_value,
    langchain_answer,
    moment_ns,
    result_value,
)
from evaltui.traces.importers.part import Part, words
from evaltui.traces.importers.span_messages import SpanMessages
from evaltui.traces.importers.span_sections import holds_messages
from evaltui.traces.importers.span_usage import nearest_around, usage_of, used_by
from evaltui.traces.importers.tool_results import ToolResults
from evaltui.traces.importers.trace_builder import SYSTEM, TraceBuilder

KEYS = words("resourceSpans resource_spans spans")


def claims(record: JsonObject) -> bool:
    return any(isinstance(record.get(key), list) for key in OUTER)


def gather(records: Sequence[Record]) -> Sequence[Record]:
    """One record for each trace, with its spans by the time at which they began.

    What holds no span at all stays as it is, so that it is missed and not forgotten.
    """
    traces: dict[str, tuple[Record, list[Json]]] = {}
    empty: list[Record] = []
    broken: list[tuple[Record, Json]] = []
    for record in records:
        spans = list(spans_of(record.value))
        if not any(isinstance(span, dict) for _, span in spans):
            empty.append(record)
        for path, span in spans:
            if not isinstance(span, dict):
                broken.append((record, span))
                continue
            said = span.get("traceId", span.get("trace_id"))
            trace_id = said.lower() if isinstance(said, str) else ""
            first = Record(record.value, record.index, (*record.path, *path), record.line, True)
            traces.setdefault(trace_id, (first, []))[1].append(span)
    for record, span in broken:
        beside = [found for first, found in traces.values() if first.value is record.value]
        for found in beside[:1] or [found for _, found in traces.values()][:1]:
            found.append(span)  # so that it is noted
    made = [
        Record({"spans": spans}, first.index, first.path, first.line, True)
        for first, spans in traces.values()
    ]
    return [*made, *empty]


def read(record: Part, trace: TraceBuilder) -> None:
    """What the spans of one trace say happened; those of other things are left out."""
    spans = once_each(sorted(trace.parts(record, "spans"), key=began_at), trace)
    spans = without_echoes(spans)
    if any(key.startswith(_OPENINFERENCE) for span in spans for key in attributes_of(span)):
        trace.why_empty = _OTHER_WORDS
    trace.of_providers({provider_of(span) for span in spans} - {""})
    for span in spans:
        trace.own_trace_id(span.text("traceId", "trace_id").lower())
        _note_shapes(span, trace)
    kinds = kinds_of(spans)
    has_chats = _are_models_read(spans, kinds)
    called = {
        call_id_of(attributes_of(span))
        for span, kind in zip(spans, kinds, strict=True)
        if kind == "tool"
    }
    results = ToolResults(called - {""})
    are_read = [kind == "chat" or (kind == "agent" and not has_chats) for kind in kinds]
    used = used_by(spans, kinds)
    outer = nearest_around(spans, [kind == "chat" for kind in kinds])
    answers = GivenAnswers()
    said = {
        at: SpanMessages(
            _as_event(span), attributes_of(span), trace, results, used=used[at], answers=answers
        )
        for at, span in enumerate(spans)
        if are_read[at]
    }
    models = NestedChats(spans, kinds, said if has_chats else {}, trace)
    for at, (span, kind) in enumerate(zip(spans, kinds, strict=True)):
        if kind == "tool":
            _read_tool(span, trace, results, used[at])
        elif kind == "chat" and has_chats:
            models.read(at)
        elif kind == "chat":
            said[at].read_answered(is_awaited=outer[at] is None)
        elif at in said:
            said[at].read_asked()
        else:
            trace.add_usage(used[at])
            if not kind:
                _note_unread(span, trace, has_chats=has_chats)
    for at in reversed(said):  # what an agent ends with comes after all that happened
        if kinds[at] == "agent":
            said[at].read_answered(is_awaited=False)
    _tell_of_tokens(spans, kinds, used, trace)
    results.fill(trace)


def _are_models_read(spans: Sequence[Part], kinds: Sequence[str]) -> bool:
    """Whether models tell what happened, rather than the agents around them, which repeat it."""
    with_messages = {
        kind for span, kind in zip(spans, kinds, strict=True) if kind and holds_messages(span)
    }
    return "chat" in with_messages or ("chat" in kinds and "agent" not in with_messages)


def _tell_of_tokens(
    spans: Sequence[Part],
    kinds: Sequence[str],
    used: Sequence[JsonObject],
    trace: TraceBuilder,
) -> None:
    """An answer that nobody told is an event all the same where it was paid and nothing else
    happened."""
    if all(event["actor"] == "system" for event in trace.events):
        paid = (at for at, kind in enumerate(kinds) if kind == "chat" and used[at])
        for at in islice(paid, 1):
            trace.message("agent", None, _as_event(spans[at]))


_OPENINFERENCE = ("openinference.", "llm.input_messages.", "llm.output_messages.")
_OTHER_WORDS = (
    "its spans are in OpenInference's words, which are not read: "
    "export them in OpenTelemetry's for generative AI (`gen_ai.input.messages` …)"
)


def _note_shapes(span: Part, trace: TraceBuilder) -> None:
    """What of a span is not as the protocol has it."""
    if not isinstance(span.value.get("attributes"), dict):
        for one in trace.parts(span, "attributes"):
            if not one.text("key"):
                trace.note("dropped_item", "an attribute without a key", one.path)
    for one in (span, *trace.parts(span, "events")):
        _note_repeated(one, trace)
    trace.note_figures(usage_of(span))


_JSON = words(
    """
    gen_ai.input.messages gen_ai.output.messages gen_ai.system_instructions message tool_calls
    gen_ai.tool.call.arguments gen_ai.tool.call.result
    gcp.vertex.agent.llm_request gcp.vertex.agent.llm_response gcp.vertex.agent.tool_call_args
    gcp.vertex.agent.tool_response
    """
)
"""Attributes whose texts are read as JSON."""


def _note_repeated(part: Part, trace: TraceBuilder) -> None:
    """Attributes of a name that stands twice, and keys in what is written as JSON in a text."""
    listed = part.value.get("attributes")
    names = Counter(
        str(one["key"]) for _, one in objects_in(listed) if isinstance(one.get("key"), str)
    )
    for name, count in names.items():
        if count > 1:
            trace.note("repeated_key", f"the attribute `{name}` is written twice", part.path)
    for name, value in attributes_of(part).items():
        if name in _JSON and isinstance(value, str) and value.startswith(("{", "[")):
            trace.note_repeated_keys(value, part)


def _note_unread(span: Part, trace: TraceBuilder, *, has_chats: bool) -> None:
    """A step of a graph around models repeats what these and tools tell in spans of their own."""
    operation = operation_of(attributes_of(span))
    is_step = has_chats and operation == STEP
    if operation and operation not in SILENT and not is_step:
        name = f"`{operation[:40]}`"
        trace.note("dropped_item", f"a span of the operation {name} without messages", span.path)


def _as_event(span: Part) -> Part:
    """The span's ids, times and error in the words that events have for them."""
    began = moment_ns(span.first("startTimeUnixNano", "start_time_unix_nano"))
    ended = moment_ns(span.first("endTimeUnixNano", "end_time_unix_nano"))
    found: dict[str, Json] = {
        "span_id": span.text("spanId", "span_id").lower(),
        "parent_span_id": span.text("parentSpanId", "parent_span_id").lower(),
        "events": span.value.get("events"),
    }
    attributes = attributes_of(span)
    if provider := provider_of(span):
        found["attributes"] = {SYSTEM: provider}
    if began and attributes.get(ESTIMATED) is not True:
        found["timestamp"] = str(began)
    if began and ended and ended >= began and attributes.get(LATENCY_UNKNOWN) is not True:
        found["latency_ms"] = (ended - began) / 1e6
    status = span.part("status")
    if status.value.get("code") in (2, "STATUS_CODE_ERROR", "ERROR"):
        kind = attributes.get("error.type")
        why = status.text("message") or _exception(span)
        found["error"] = why or (kind if isinstance(kind, str) else True)
    return Part(found, span.path)


def _exception(span: Part) -> str:
    """The message of the last exception that the span recorded; empty without one."""
    found = ""
    for _, event in objects_in(span.value.get("events")):
        if event.get("name") == "exception":
            message = attributes_of(Part(event)).get("exception.message")
            found = message if isinstance(message, str) else found
    return found


_MADE, _GAVE = "gen_ai.tool.call.arguments", "gen_ai.tool.call.result"


def _read_tool(
    span: Part, trace: TraceBuilder, results: ToolResults, used: Mapping[str, Json]
) -> None:
    """A tool that ran: its call, unless a model is known to have made it, and its result."""
    said = attributes_of(span)
    event = _as_event(span)
    name = said.get("gen_ai.tool.name")
    tool = name if isinstance(name, str) else span.text("name").removeprefix("execute_tool ")
    call_id = call_id_of(said)
    without = {"span_id": None, "latency_ms": None, "error": None}
    is_known = trace.calls.is_open(call_id) or trace.calls.has_open(tool, among_ids=not call_id)
    made, answer_told = (tool_value(said, key) for key in (_MADE, _GAVE))
    if not is_known:
        arguments = json_value(made)
        if tool and made is None and _MADE not in said:
            trace.note("not_told", f"what `{tool}` was called with", span.path)
        trace.call(tool, arguments, Part({**event.value, **without}, (*span.path, "call")), call_id)
    result = result_value(answer_told)
    error = None
    if answer := langchain_answer(result):
        result = chat_result(answer.get("content"))
        error = TOOL_FAILED if answer.get("status") == "error" else None
    attributes = {**event.part("attributes").value, **used}
    ended = Part({**event.value, "attributes": attributes}, event.path)
    trace.result(result, ended, tool=tool, call_id=call_id, error=error)
    if answer_told is None and _GAVE not in said:
        results.awaits(trace.events[-1], span)
