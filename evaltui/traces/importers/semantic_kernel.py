"""Semantic Kernel: invocations of functions, or a chat history."""

from evaltui.core.json_value import Json, JsonObject
from evaltui.traces.importers.chat_messages import read_chat_message
from evaltui.traces.importers.part import Part, words
from evaltui.traces.importers.steps import read_step
from evaltui.traces.importers.trace_builder import TraceBuilder

KEYS = words(
    """
    id invocations events messages kernel input output result prompt plugins metadata framework
    usage created_at ts timestamp error latency_ms duration_ms trace_id attributes
    """
)


def claims(record: JsonObject) -> bool:
    if isinstance(record.get("invocations"), list) or "kernel" in record:
        return True
    listed = [record.get(key) for key in ("messages", "events")]
    return any(
        isinstance(one, dict) and ("Items" in one or "plugin" in one or "items" in one)
        for items in listed
        if isinstance(items, list)
        for one in items
    )


def read(record: Part, trace: TraceBuilder) -> None:
    asked = record.first("input", "prompt")
    if asked is not None:
        trace.message("user", asked, record.inner({}, "input"))
    for message in trace.parts(record, "messages"):
        _read_message(message, trace)
    for made in trace.parts(record, "invocations", "events"):
        _read_invocation(made, trace)
    answer = record.first("output", "result")
    if answer is not None:
        trace.message("agent", answer, record.inner({}, "output"))
    if record.error:
        trace.failed(record.error, record)
    trace.usage_of_all(trace.used(record, "usage"))
    trace.mark({}, record.latency_ms)


def _read_invocation(made: Part, trace: TraceBuilder) -> None:
    """A function of a plugin: its call and its result in one."""
    if not made.text("plugin", "function"):
        read_step(made, trace)
        return
    tool = _tool(made.text("plugin"), made.text("function"))
    call = {key: made.value.get(key) for key in ("ts", "timestamp", "created_at", "span_id")}
    call_id = made.text("id", "call_id")
    trace.call(tool, made.first("arguments", "input", "args"), _of(made, call), call_id)
    rest = {key: value for key, value in made.value.items() if key != "span_id"}
    answer = made.first("result", "output")
    trace.result(answer, Part(rest, made.path, made.outer_time), tool=tool, call_id=call_id)


def _read_message(said: Part, trace: TraceBuilder) -> None:
    """A message of a chat history; its items are texts, calls and results."""
    items = [*trace.parts(said, "Items", "items")]
    role = said.part("Role", "role").text("Label", "label") or said.text("Role", "role")
    if not items:
        content = said.first("Content", "content")
        read_chat_message(_of(said, {**said.value, "role": role, "content": content}), trace)
        return
    since = len(trace.events)
    for item in items:
        kind = item.text("$type", "content_type", "type").lower().removesuffix("content")
        plugin, name = (
            item.text("PluginName", "plugin_name"),
            item.text("FunctionName", "function_name"),
        )
        if kind in ("functioncall", "function_call"):
            tool = _tool(plugin, name) if name else item.text("name")
            trace.call(tool, item.first("Arguments", "arguments"), item, item.text("Id", "id"))
        elif kind in ("functionresult", "function_result"):
            trace.result(
                item.first("Result", "result"),
                item,
                tool=_tool(plugin, name) if name else item.text("name"),
                call_id=item.text("CallId", "call_id", "Id", "id"),
            )
        else:
            text: Json = item.first("Text", "text")
            trace.says(role, item.value if text is None else text, item)
    trace.mark_own(said, since)


def _tool(plugin: str, function: str) -> str:
    """The name under which a model knows the function."""
    return f"{plugin}-{function}" if plugin and function else function or plugin


def _of(made: Part, value: JsonObject) -> Part:
    return Part(value, made.path, made.outer_time)
