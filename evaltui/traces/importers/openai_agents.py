"""OpenAI's Agents SDK: the items of a run, or its tracing spans."""

from collections.abc import Iterator, Sequence

from evaltui.core.json_value import Json, JsonObject, object_of
from evaltui.core.trace import CALL_ID
from evaltui.traces.importers.importer import Record
from evaltui.traces.importers.part import Part, moment, words
from evaltui.traces.importers.response_items import read_item
from evaltui.traces.importers.roles import said_texts
from evaltui.traces.importers.steps import read_step
from evaltui.traces.importers.trace_builder import TraceBuilder
from evaltui.traces.importers.usage import total

KEYS = words(
    """
    id events messages input new_items items raw_responses final_output last_agent agent
    last_response_id context_wrapper metadata framework usage workflow_name group_id created_at ts
    timestamp error object spans latency_ms duration_ms trace_id attributes
    """
)
_OWN = words("new_items final_output last_agent raw_responses workflow_name")
_ITEMS = words("function_call function_call_output message_output_item tool_call_item")


def claims(record: JsonObject) -> bool:
    if any(key in record for key in _OWN) or _is_span(record):
        return True
    listed = [record.get(key) for key in ("events", "messages", "input", "items")]
    return any(
        isinstance(one, dict) and Part(one).text("type") in _ITEMS
        for items in listed
        if isinstance(items, list)
        for one in items
    )


def gather(records: Sequence[Record]) -> Sequence[Record]:
    """Spans, each a record, as one record for each trace."""
    traces: dict[str, tuple[Record, list[Json]]] = {}
    others: list[Record] = []
    for record in records:
        if _is_span(record.value):
            said = Part(record.value)
            own = said.text("id") if said.text("object") == "trace" else ""
            key = said.text("trace_id") or own
            traces.setdefault(key, (record, []))[1].append(record.value)
        else:
            others.append(record)
    made = [
        Record({"spans": spans}, first.index, first.path, first.line, True)
        for first, spans in traces.values()
    ]
    return sorted([*made, *others], key=lambda record: record.index)


def read(record: Part, trace: TraceBuilder) -> None:
    if isinstance(record.value.get("input"), str):
        trace.message("user", record.value["input"], record.inner({}, "input"))
    else:
        for item in trace.parts(record, "input"):
            _read_any(item, trace, "user")
    for item in trace.parts(record, "new_items", "items", "messages"):
        _read_any(item, trace, "assistant")
    if not trace.events:
        for item in trace.parts(record, "events"):
            _read_any(item, trace, "assistant")
    unplaced: list[Part] = []
    for span in sorted(trace.parts(record, "spans"), key=_began):
        unplaced += _read_span(span, trace)
    trace.add_usage(total(unplaced))
    responses = [*trace.parts(record, "raw_responses")]
    _read_responses(responses, trace)
    answer = record.value.get("final_output")
    outputs = [event["output"] for event in trace.events if event["type"] == "message"]
    if answer is not None and answer not in outputs:
        trace.message("assistant", answer, record.inner({}, "final_output"))
    if record.error:
        trace.failed(record.error, record)
    trace.usage_of_all(total(one.part("usage") for one in responses))
    trace.usage_of_all(trace.used(record, "usage"))
    trace.mark({}, record.latency_ms)


def _read_responses(responses: Sequence[Part], trace: TraceBuilder) -> None:
    """What models answered, where nothing else of the run tells it: then no result of their calls
    is told either."""
    told = set(_told(trace.events))
    for item in (one for response in responses for one in trace.parts(response, "output")):
        if told.intersection(_tellings(item)):
            continue
        since = len(trace.events)
        _read_any(item, trace, "assistant")
        for event in trace.events[since:]:
            tool = str(event["tool"])
            if event["type"] == "tool_call" and trace.calls.has_open(tool):
                trace.note("not_told", f"what `{tool}` gave back", item.path)


def _told(events: Sequence[JsonObject]) -> Iterator[tuple[str, Json]]:
    """What tells messages, by their texts, and calls, by their ids, else by their tools."""
    for event in events:
        if event["type"] == "message" and isinstance(event["output"], str):
            yield "text", event["output"]
        elif event["type"] == "tool_call":
            id_ = object_of(event["attributes"]).get(CALL_ID)
            yield "tool", event["tool"]
            yield ("id", id_) if id_ else ("tool without id", event["tool"])


def _tellings(item: Part) -> Iterator[tuple[str, Json]]:
    """Any of these tells an item."""
    kind = item.text("type")
    if kind == "message":
        yield "text", said_texts("assistant", item.first("content", "refusal"))[0]
        return
    ids = {item.text("call_id"), item.text("id")} - {""}
    yield from (("id", one) for one in ids)
    yield "tool without id" if ids else "tool", item.text("name") or kind.removesuffix("_call")


def _read_any(item: Part, trace: TraceBuilder, role: str) -> None:
    """An item, as it was sent or as the SDK wraps it; else a step."""
    raw = item.part("raw_item")
    if raw.value:
        if item.value.get("output") is not None:
            raw = Part({**raw.value, "output": item.value["output"]}, raw.path, raw.outer_time)
        item = raw
    kind = item.text("type")
    if kind in ("function_result", "tool_result") or (kind == "tool_call" and "tool" in item.value):
        read_step(item, trace)
    elif kind or item.value.get("role") is not None:
        known = kind in _ITEMS or kind.endswith(("_call", "_output", "reasoning"))
        if kind in ("", "message") or known:
            read_item(item, trace, role=role)
        else:
            read_step(item, trace)
    else:
        read_step(item, trace)


def _is_span(record: JsonObject) -> bool:
    return record.get("object") == "trace.span" or (
        record.get("object") == "trace" and "workflow_name" in record
    )


def _began(span: Part) -> str:
    return span.text("started_at")


def _read_span(span: Part, trace: TraceBuilder) -> Sequence[Part]:
    """A tool that ran, or a model that answered; the others are left out.

    Returns what was used for an answer that the span does not tell.
    """
    said = span.part("span_data")
    about = Part({"error": span.value.get("error"), **_times(span)}, span.path)
    if said.text("type") == "function":
        name = said.text("name")
        if not trace.calls.has_open(name):
            call = {"timestamp": about.value.get("timestamp")}
            trace.call(name, said.value.get("input"), Part(call, (*span.path, "call")))
        trace.result(said.value.get("output"), about, tool=name)
    elif said.text("type") in ("generation", "response"):
        asked = said.value.get("input")
        if isinstance(asked, str):
            trace.message("user", asked, span.inner({}, "input"))
        elif not trace.events:
            for item in trace.parts(said, "input"):
                _read_any(item, trace, "user")
        answered = said if isinstance(said.value.get("output"), list) else said.part("response")
        before = len(trace.events)
        for item in trace.parts(answered, "output"):
            _read_any(item, trace, "assistant")
        if about.error:
            trace.failed(about.error, about)
        used = answered.part("usage") if answered.part("usage").value else said.part("usage")
        if len(trace.events) == before:
            trace.note("not_told", "what a model was asked and answered", span.path)
            return [used]
        trace.usage(used)
        trace.mark({"gen_ai.response.model": said.text("model")}, about.latency_ms)
    return []


def _times(span: Part) -> dict[str, Json]:
    from datetime import datetime

    began, ended = moment(span.value.get("started_at")), moment(span.value.get("ended_at"))
    found: dict[str, Json] = {"timestamp": began}
    if began and ended:
        try:
            took = datetime.fromisoformat(ended) - datetime.fromisoformat(began)
        except TypeError:  # one of them has no time zone
            return found
        found["latency_ms"] = took.total_seconds() * 1e3
    return found
