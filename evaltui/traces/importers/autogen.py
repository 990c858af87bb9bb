"""AutoGen: messages of its agents, in the words of either of its versions."""

from collections.abc import Sequence

from evaltui.core.json_value import JsonObject
from evaltui.traces.importers.chat_messages import read_chat_message
from evaltui.traces.importers.content_parts import TOOL_FAILED, result_text
from evaltui.traces.importers.part import Part, words
from evaltui.traces.importers.roles import actor_of
from evaltui.traces.importers.steps import read_step
from evaltui.traces.importers.trace_builder import TraceBuilder

KEYS = words(
    """
    id messages events chat_history summary cost human_input stop_reason task metadata framework
    usage created_at ts timestamp error latency_ms duration_ms trace_id attributes type agents
    """
)
_TYPES = words(
    """
    TextMessage ToolCallRequestEvent ToolCallExecutionEvent ToolCallSummaryMessage HandoffMessage
    StopMessage MultiModalMessage ThoughtEvent UserInputRequestedEvent StructuredMessage
    MemoryQueryEvent
    """
)
_LEFT_OUT = words("ThoughtEvent UserInputRequestedEvent MemoryQueryEvent")
"""They repeat what other messages say, or only say that the agent thinks or waits."""
_SUMMARY = "ToolCallSummaryMessage"
"""What tools gave back, which is the answer of an agent that says nothing of it afterwards."""
_CALLING = words("ToolCallRequestEvent ToolCallExecutionEvent")


def claims(record: JsonObject) -> bool:
    if "chat_history" in record:
        return True
    listed = [record.get(key) for key in ("messages", "events")]
    return any(
        isinstance(one, dict)
        and (Part(one).text("type") in _TYPES or one.get("source") is not None)
        for messages in listed
        if isinstance(messages, list)
        for one in messages
    )


def read(record: Part, trace: TraceBuilder) -> None:
    _read_messages([*trace.parts(record, "messages", "chat_history")], trace)
    if not trace.events:
        _read_messages([*trace.parts(record, "events")], trace)
    if not trace.events and record.text("task"):
        trace.message("user", record.text("task"), record.inner({}, "task"))
    if record.error:
        trace.failed(record.error, record)
    trace.usage_of_all(trace.used(record, "usage"))
    trace.mark({}, record.latency_ms)


def _read_messages(messages: Sequence[Part], trace: TraceBuilder) -> None:
    last = {one.text("source"): at for at, one in enumerate(messages) if _is_text(one)}
    for at, message in enumerate(messages):
        is_repeated = last.get(message.text("source"), at) > at
        if message.text("type") != _SUMMARY or not is_repeated:
            _read_message(message, trace)


def _is_text(said: Part) -> bool:
    return said.text("type") not in _CALLING | _LEFT_OUT


def _read_message(said: Part, trace: TraceBuilder) -> None:
    kind, since = said.text("type"), len(trace.events)
    if kind == "ToolCallRequestEvent":
        for call in trace.parts(said, "content"):
            trace.call(call.text("name"), call.first("arguments", "args"), call, call.text("id"))
        trace.mark_own(said, since)
    elif kind == "ToolCallExecutionEvent":
        for result in trace.parts(said, "content"):
            _read_result(result, trace)
    elif kind in _TYPES:
        if kind not in _LEFT_OUT:
            source = said.text("source")
            role = "user" if actor_of(source) == "user" else "assistant"
            trace.says(role, said.value.get("content"), said)
            trace.mark_own(said, since)
    elif said.value.get("tool_responses") and said.text("role") == "tool":
        for result in trace.parts(said, "tool_responses"):
            _read_result(result, trace)
    elif kind or said.value.get("event") is not None:
        read_step(said, trace)
    else:
        read_chat_message(said, trace)


def _read_result(result: Part, trace: TraceBuilder) -> None:
    answer = result_text(result.value.get("content"))
    failed = result.value.get("is_error") is True
    why = answer if isinstance(answer, str) and answer else TOOL_FAILED
    trace.result(
        answer,
        result,
        tool=result.text("name"),
        call_id=result.text("call_id", "tool_call_id"),
        error=why if failed else None,
    )
