"""OTLP as JSON: model and tool spans in OpenTelemetry's conventions for generative AI."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from evaltui.core.json_value import Json, JsonObject
from evaltui.core.key_path import KeyPath
from evaltui.traces.importers.chat_messages import TOOL_FAILED
from evaltui.traces.importers.chat_messages import result_text as chat_result
from evaltui.traces.importers.importer import Record
from evaltui.traces.importers.nested_chats import NestedChats
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
from evaltui.traces.importers.span_messages import SpanMessages, holds_messages
from evaltui.traces.importers.span_usage import usage_of, used_by, used_by_agents
from evaltui.traces.importers.tool_results import ToolResults
from evaltui.traces.importers.trace_builder import SYSTEM, TraceBuilder

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
    broken: list[tuple[Record, Json]] = []
    for record in records:
        spans = list(_spans(record.value))
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
    spans = _once_each(sorted(trace.parts(record, "spans"), key=_began), trace)
    spans = _without_echoes(spans)
    if any(key.startswith(_OPENINFERENCE) for span in spans for key in attributes_of(span)):
        trace.why_empty = _OTHER_WORDS
    trace.of_providers({provider_of(span) for span in spans} - {""})
    for span in spans:
        trace.own_trace_id(span.text("traceId", "trace_id").lower())
        _note_shapes(span, trace)
    kinds = _kinds(spans)
    has_chats = "chat" in kinds
    called = {
        _call_id(attributes_of(span))
        for span, kind in zip(spans, kinds, strict=True)
        if kind == "tool"
    }
    results = ToolResults(called - {""})
    are_read = [kind == "chat" or (kind == "agent" and not has_chats) for kind in kinds]
    are_counted = [is_read or kind == "tool" for is_read, kind in zip(are_read, kinds, strict=True)]
    used = used_by(spans, are_counted)
    said = {
        at: SpanMessages(_as_event(span), attributes_of(span), trace, results, used=used[at])
        for at, span in enumerate(spans)
        if are_read[at]
    }
    models = NestedChats(spans, kinds, said if has_chats else {}, trace)
    for at, (span, kind) in enumerate(zip(spans, kinds, strict=True)):
        if kind == "tool":
            _read_tool(span, trace, results, used[at])
        elif kind == "chat":
            models.read(at)
        elif at in said:
            said[at].read_asked()
        elif not kind:
            _note_unread(span, trace, has_chats=has_chats)
    if not has_chats:
        for agent in reversed(said.values()):  # what it ends with comes after all that happened
            agent.read_answered(is_awaited=False)
    else:
        trace.add_usage(used_by_agents(spans, kinds))
    results.fill(trace)


def _once_each(spans: Sequence[Part], trace: TraceBuilder) -> list[Part]:
    """The spans without those that were sent again; one that says something else then is noted."""
    found: dict[str, Part] = {}
    for at, span in enumerate(spans):
        id_ = span.text("spanId", "span_id").lower()
        is_known = bool(id_ and span.text("traceId", "trace_id"))
        kept = found.setdefault(id_ if is_known else f"without an id {at}", span)
        if kept.value != span.value:
            trace.note("dropped_item", f"another span of the id `{id_[:40]}`", span.path)
    return [*found.values()]


def _without_echoes(spans: Sequence[Part]) -> list[Part]:
    """Without those that tell at most what an answer used, where a span beside it tells the answer:
    a client that has spans of its own is wrapped by an instrumentation all the same."""
    answers = [_answer(span) for span in spans]
    several = {one for one, count in Counter(answers).items() if one is not None and count > 1}
    if not several:
        return [*spans]
    pairs = [*zip(spans, answers, strict=True)]
    have_messages = [answer in several and holds_messages(span) for span, answer in pairs]
    with_messages = {one for one, is_it in zip(answers, have_messages, strict=True) if is_it}
    return [
        span
        for (span, answer), is_it in zip(pairs, have_messages, strict=True)
        if is_it or answer not in with_messages
    ]


def _answer(span: Part) -> tuple[str, str] | None:
    """The span around it and the id of the answer, where it tells one."""
    said = attributes_of(span)
    id_ = said.get("gen_ai.response.id")
    if not isinstance(id_, str) or not id_ or _operation(said) == _TOOL:
        return None
    return span.text("parentSpanId", "parent_span_id").lower(), id_


def _spans(document: JsonObject) -> Iterator[tuple[KeyPath, Json]]:
    """All spans with their places; a list for each thing that stands in the place of one."""
    for path, resource in _below(document, _OUTER):
        if not isinstance(resource, dict):
            yield path, [resource]
            continue
        for inner, scope in _below(resource, _INNER):
            if not isinstance(scope, dict):
                yield (*path, *inner), [scope]
                continue
            for place, span in _below(scope, ("spans",)):
                yield (*path, *inner, *place), span if isinstance(span, dict) else [span]


def _below(value: JsonObject, keys: Sequence[str]) -> Iterator[tuple[KeyPath, Json]]:
    """The entries of the lists below these keys; what stands there and is no list is one."""
    for key in keys:
        found = value.get(key)
        if isinstance(found, list):
            yield from (((key, index), one) for index, one in enumerate(found))
        elif found is not None:
            yield (key,), [found]


def _objects(value: Json) -> Iterator[tuple[int, JsonObject]]:
    for index, one in enumerate(value if isinstance(value, list) else ()):
        if isinstance(one, dict):
            yield index, one


def _began(span: Part) -> int:
    return moment_ns(span.first("startTimeUnixNano", "start_time_unix_nano")) or 0


_AGENTS = words("invoke_agent create_agent invoke_workflow")
_OPENINFERENCE = ("openinference.", "llm.input_messages.", "llm.output_messages.")
_OTHER_WORDS = (
    "its spans are in OpenInference's words, which are not read: "
    "export them in OpenTelemetry's for generative AI (`gen_ai.input.messages` …)"
)
_TOOL, _STEP = "execute_tool", "execute_task"
_SILENT = words("embeddings retrieval create_memory search_memory update_memory delete_memory")
"""Operations that say nothing of what the agent said or called."""


def _kinds(spans: Sequence[Part]) -> list[str]:
    """Of each span `chat`, `tool`, `agent`, or empty for one that is not read.

    What a span holds decides where the name of its operation is none of those that are known: it is
    an agent's where others stand in it.
    """
    outer = {span.text("parentSpanId", "parent_span_id").lower() for span in spans}
    found: list[str] = []
    for span in spans:
        said = attributes_of(span)
        operation = _operation(said)
        if operation == _TOOL:
            found.append("tool")
        elif operation in _AGENTS:
            found.append("agent")
        elif operation in ("chat", "text_completion", "generate_content"):
            found.append("chat")
        elif holds_messages(span):
            is_outer = span.text("spanId", "span_id").lower() in outer
            found.append("agent" if is_outer and not _is_early(said) else "chat")
        else:
            found.append("tool" if any(key.startswith(_TOOL_CALL) for key in said) else "")
    return found


_TOOL_CALL = "gen_ai.tool.call."


def _is_early(said: JsonObject) -> bool:
    """Whether its messages are in the words from before there were operations."""
    return any(key.startswith(("gen_ai.prompt", "gen_ai.completion")) for key in said)


def _note_shapes(span: Part, trace: TraceBuilder) -> None:
    """What of a span is not as the protocol has it."""
    if not isinstance(span.value.get("attributes"), dict):
        for one in trace.parts(span, "attributes"):
            if not one.text("key"):
                trace.note("dropped_item", "an attribute without a key", one.path)
    for _ in trace.parts(span, "events"):
        pass
    trace.note_figures(usage_of(span))


def _note_unread(span: Part, trace: TraceBuilder, *, has_chats: bool) -> None:
    """A step of a graph around models repeats what these and tools tell in spans of their own."""
    operation = _operation(attributes_of(span))
    is_step = has_chats and operation == _STEP
    if operation and operation not in _SILENT and not is_step:
        name = f"`{operation[:40]}`"
        trace.note("dropped_item", f"a span of the operation {name} without messages", span.path)


def _operation(said: JsonObject) -> str:
    """Its name, also where that is no text; empty without one."""
    found = said.get("gen_ai.operation.name")
    return "" if found is None else str(found)


def provider_of(span: Part) -> str:
    """Who answered, as the span names it; empty where it does not."""
    said = attributes_of(span)
    names = (said.get(key) for key in ("gen_ai.provider.name", SYSTEM))
    return next((one for one in names if isinstance(one, str) and one), "")


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
    for _, event in _objects(span.value.get("events")):
        if event.get("name") == "exception":
            message = attributes_of(Part(event)).get("exception.message")
            found = message if isinstance(message, str) else found
    return found


def _read_tool(
    span: Part, trace: TraceBuilder, results: ToolResults, used: Mapping[str, Json]
) -> None:
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
        if tool and "gen_ai.tool.call.arguments" not in said:
            trace.note("not_told", f"what `{tool}` was called with", span.path)
        trace.call(tool, arguments, Part({**event.value, **without}, (*span.path, "call")), call_id)
    result = result_value(said.get("gen_ai.tool.call.result"))
    error = None
    if answer := langchain_answer(result):
        result = chat_result(answer.get("content"))
        error = TOOL_FAILED if answer.get("status") == "error" else None
    attributes = {**event.part("attributes").value, **used}
    ended = Part({**event.value, "attributes": attributes}, event.path)
    trace.result(result, ended, tool=tool, call_id=call_id, error=error)
    if "gen_ai.tool.call.result" not in said:
        results.awaits(trace.events[-1], span)
