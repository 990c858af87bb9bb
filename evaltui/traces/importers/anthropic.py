"""Anthropic's messages: requests, answers, or both in one record."""

from collections.abc import Iterator, Sequence

from evaltui.agents.told_calls import CALL_BLOCKS
from evaltui.core.json_value import Json, JsonObject
from evaltui.traces.importers.anthropic_events import is_event
from evaltui.traces.importers.chat_messages import lists_calls, read_said
from evaltui.traces.importers.content_parts import call_in, read_tool_part, result_in
from evaltui.traces.importers.part import Part, words
from evaltui.traces.importers.trace_builder import TraceBuilder

KEYS = words(
    """
    id type role model content messages input usage stop_reason metadata anthropic_version system
    tools stop_sequence tool_choice max_tokens temperature top_p top_k stop_sequences stream
    thinking service_tier container context_management request response result custom_id error
    request_id ts timestamp time created_at latency_ms duration_ms trace_id attributes betas
    stop_details diagnostics speed user_profile_id cache_control inference_geo output_config
    workspace_id
    """
)
_LEFT_OUT = frozenset({"thinking", "redacted_thinking"})
"""They say nothing of what the agent did."""
BLOCKS = CALL_BLOCKS | {"tool_result", "thinking", "redacted_thinking"}
"""Types of blocks that no other provider has in its messages."""
_OF_OTHERS = frozenset({"input_text", "output_text", "refusal"})
"""Types of blocks in messages of OpenAI, which call themselves messages too."""

_ASKED_BY = frozenset({"stop_sequences", "system"})
"""Keys of a request that say something beside its messages; OpenAI has a message, or `stop`."""


def claims(record: JsonObject) -> bool:
    """Whether it says so, is an answer of theirs, or is asked in a way that only they have."""
    is_message = record.get("type") == "message" and not _types([record]) & _OF_OTHERS
    if is_message or "anthropic_version" in record or is_event(record) or _is_of_batch(record):
        return True
    layers = list(_layers(Part(record)))
    return any(map(_is_theirs, layers)) and not any("choices" in one.value for one in layers)


def read(record: Part, trace: TraceBuilder) -> None:
    for key in ("request", "response", "result"):
        trace.object(record, key)
    layers = list(_layers(record))
    for layer in layers:
        before = len(trace.events)
        if layer.value.get("system"):
            trace.says("system", layer.value["system"], layer.inner({}, "system"))
        if isinstance(layer.value.get("input"), str):
            trace.message("user", layer.value["input"], layer.inner({}, "input"))
        sections = [key for key in ("messages", "input") if isinstance(layer.value.get(key), list)]
        for message in trace.parts(layer, *sections):
            since = len(trace.events)
            _read_message(message, trace, "user")
            trace.mark_own(message, since)
        reason = layer.text("stop_reason")
        if reason == "refusal" and not layer.value.get("content"):
            trace.failed(f"the answer was withheld: {reason}", layer.without("error"))
        elif layer.value.get("content") or ("content" in layer.value and not layer.error):
            _read_message(layer.without("error"), trace, "assistant")
        elif not layer.error and (layer.text("role") or layer.text("type") == "message"):
            trace.note("not_told", "what was answered", layer.path)
        if why := layer.error or _without_answer(layer):
            trace.failed(why, layer)
        if layer.value.get("usage") or layer.value.get("stop_reason"):
            if "content" in layer.value and "stop_reason" in layer.value and not reason:
                trace.note("not_told", "the end of the answer: it has no `stop_reason`", layer.path)
            trace.mark(
                {
                    "gen_ai.response.id": layer.text("id"),
                    "gen_ai.response.model": layer.text("model"),
                    "gen_ai.response.finish_reasons": [reason] if reason else [],
                }
            )
            if "content" in layer.value:
                trace.usage_of_all(trace.used(layer, "usage"), before)
    for layer in layers:
        if "content" not in layer.value:
            trace.usage_of_all(trace.used(layer, "usage"))
    trace.mark({}, record.latency_ms)


def _layers(record: Part) -> Iterator[Part]:
    """What was asked, then what was answered; logs and batches wrap them."""
    result = record.part("result")
    found = (record.part("request"), record.part("request").part("params", "body"), record)
    answers = (record.part("response"), record.part("response").part("body"))
    yield from (one for one in (*found, *answers, result, result.part("message")) if one.value)


_WITHOUT_ANSWER = frozenset({"canceled", "expired"})
"""Ends of requests of a batch of which no more is told; one that is `errored` says why."""


def _is_of_batch(record: JsonObject) -> bool:
    """Whether it is the end of one request of a batch, however that ended."""
    return "custom_id" in record and bool(Part(record).part("result").text("type"))


def _without_answer(layer: Part) -> str:
    """Why one request of a batch was not answered; empty for anything else."""
    kind = layer.text("type")
    is_one = layer.path == ("result",) and kind in _WITHOUT_ANSWER
    return f"the request was not answered: {kind}" if is_one else ""


def _is_theirs(layer: Part) -> bool:
    if "stop_reason" in layer.value and isinstance(layer.value.get("content"), list):
        return True
    said = layer.value.get("messages")
    entries = said if isinstance(said, list) else []
    also = layer.value.get("input")
    if _types([*entries, *(also if isinstance(also, list) else [])]) & BLOCKS:
        return True
    asks = not _ASKED_BY.isdisjoint(layer.value) and "max_tokens" in layer.value
    return asks and bool(entries) and all(_may_be_theirs(one) for one in entries)


def _may_be_theirs(message: Json) -> bool:
    """Whether it has neither a role nor a key that only other providers have."""
    if not isinstance(message, dict):
        return True
    return message.get("role") in ("user", "assistant") and "tool_calls" not in message


def _types(messages: Sequence[Json]) -> set[str]:
    """Of the blocks that these messages are made of."""
    contents = [one.get("content") for one in messages if isinstance(one, dict)]
    return {
        Part(block).text("type")
        for content in contents
        if isinstance(content, list)
        for block in content
        if isinstance(block, dict)
    }


def _read_message(said: Part, trace: TraceBuilder, role: str) -> None:
    """Texts that follow each other are one message; calls and results stand where they stood."""
    role = said.text("role") or role
    content = said.value.get("content")
    if lists_calls(said):  # as programs write that keep messages of several providers
        read_said(said, trace, role)
        return
    if "content" not in said.value:
        trace.note("not_told", "what a message says", said.path)
    if not isinstance(content, list):
        trace.says(role, content, said)
        return
    pending: list[JsonObject] = []
    for block in trace.parts(said, "content"):
        kind = block.text("type")
        if call_in(block) is not None or result_in(block) is not None:
            _say(role, pending, said, trace)
            read_tool_part(block, trace)
        elif kind not in _LEFT_OUT:
            pending.append(block.value)
    if pending or not content:
        _say(role, pending or [{"text": ""}], said, trace)


def _say(role: str, pending: list[JsonObject], said: Part, trace: TraceBuilder) -> None:
    if pending:
        trace.says(role, [*pending], said)
        pending.clear()
