"""LangGraph's messages: what is sent, and which messages of a thread are the answer."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import chain

from msgspec import Struct, field

from evaltui.agents.models.endings import bad_ending
from evaltui.agents.told_calls import (
    CallPairs,
    call_entries,
    content_text,
    told_call,
    unread_arguments,
    with_results_apart,
)
from evaltui.core.chat_format import call_json
from evaltui.core.errors import AgentError
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.reported_number import tokens
from evaltui.core.response import Message, ToolCall, Usage, added_usage

_ROLES = {
    "human": "user", "user": "user", "ai": "assistant", "assistant": "assistant",
    "AIMessageChunk": "assistant", "tool": "tool", "function": "tool",
    "system": "system", "developer": "system",
}  # fmt: skip
_METADATA = ("additional_kwargs", "response_metadata")


class GraphRun(Struct):
    """What one run added to the thread."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    messages: tuple[Message, ...] = ()
    usage: Usage | None = None
    turns: int = 0
    notes: list[str] = field(default_factory=list)


def sent_messages(messages: Sequence[Message]) -> list[dict[str, Json]]:
    """The conversation as the wire wants it; each message has an id that tells it from new ones."""
    sent: list[dict[str, Json]] = []
    for at, each in enumerate(messages):
        entry: dict[str, Json] = {"role": each.role, "content": each.content}
        if each.tool_calls:
            entry["tool_calls"] = [_sent_call(call, at) for call in each.tool_calls]
        if each.tool_call_id:
            entry["tool_call_id"] = each.tool_call_id
        if each.name:
            entry["name"] = each.name
        digest = sha256(json.dumps([at, entry], default=dict).encode()).hexdigest()
        entry |= each.sent_extra
        if not (isinstance(entry.get("id"), str) and entry["id"]):
            entry["id"] = f"evaltui-{digest[:16]}"
        sent.append(entry)
    return sent


def unanswered(sent: Sequence[dict[str, Json]]) -> list[dict[str, Json]]:
    """Those behind the last of the agent's own, which its thread has with all before it."""
    own = [at for at, one in enumerate(sent) if one["role"] in ("assistant", "tool")]
    return [*sent[own[-1] + 1 :]] if own else [*sent]


def read_thread(value: Json, sent: Sequence[Mapping[str, Json]], key: str = "messages") -> GraphRun:
    """What the answer says beyond the messages that are known: of this run and of those before it.

    Raises AgentError.
    """
    found = value.get(key) if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping) or not isinstance(found, list):
        keys = ", ".join(f"`{name}`" for name in value) if isinstance(value, Mapping) else ""
        raise AgentError(
            f"the answer has no list `{key}`{'; it has ' + keys if keys else ''}. "
            "Set `messages_key` to where the graph keeps its messages.",
            category="contract_violation",
        )
    new = _new(found, sent)
    run = GraphRun()
    pairs = CallPairs()
    messages: list[Message] = []
    ending: AgentError | None = None
    for entry in chain.from_iterable(map(with_results_apart, new)):
        role = _ROLES.get(str(entry.get("type") or entry.get("role") or ""), "assistant")
        text, name = content_text(entry.get("content")), _text(entry, "name")
        if role == "assistant":
            run.turns += 1
            ending = _ending(entry)
            calls = [*map(told_call, call_entries(entry))]
            pairs.add(calls)
            extra = _extra(entry, calls)
            messages.append(Message(role, text, tuple(calls), name=name, extra=extra))
            run.text = text if text or not calls else run.text
            run.usage = _sum(run.usage, entry.get("usage_metadata"))
        elif role == "tool":
            id_ = str(entry.get("tool_call_id") or "")
            pairs.answer(id_, name, entry, text)
            messages.append(Message(role, text, (), id_, name, _extra(entry)))
        else:
            messages.append(Message(role, text, name=name, extra=_extra(entry)))
    if value.get("__interrupt__"):
        run.notes.append("the graph stopped at an interrupt and waits for a person")
    elif run.turns == 0:
        raise AgentError(
            "No response messages from connector: the graph added no message of its own. "
            "Check `assistant_id` and the graph's input.",
            category="contract_violation",
        )
    if ending is not None:
        raise ending
    run.calls, run.messages = tuple(pairs.calls), tuple(messages)
    run.notes += pairs.notes
    return run


def _extra(entry: Mapping[str, Json], calls: Sequence[ToolCall] = ()) -> JsonObject | None:
    """As EvalStudio tells it: what nobody there reads is its metadata."""
    extra: dict[str, Json] = {}
    if any(call.error for call in calls):
        both = zip(calls, call_entries(entry), strict=True)
        extra["tool_calls"] = [call_json(call, unread_arguments(each)) for call, each in both]
    if id_ := _text(entry, "id"):
        extra["id"] = id_
    metadata = {key: entry[key] for key in _METADATA if isinstance(entry.get(key), Mapping)}
    if metadata:
        extra["metadata"] = metadata
    content = entry.get("content")
    if not isinstance(content, str | None):
        extra["content"] = content
    return extra or None


def _text(entry: Mapping[str, Json], key: str) -> str:
    found = entry.get(key)
    return found if isinstance(found, str) else ""


def _new(found: Sequence[Json], sent: Sequence[Mapping[str, Json]]) -> list[Mapping[str, Json]]:
    """Messages after those that are known: by their ids, else after the last one of the user."""
    ids = {entry["id"] for entry in sent}
    entries = [entry for entry in found if isinstance(entry, Mapping)]
    after = [at for at, entry in enumerate(entries) if entry.get("id") in ids]
    if not after:
        after = [
            at
            for at, entry in enumerate(entries)
            if _ROLES.get(str(entry.get("type") or entry.get("role") or "")) == "user"
        ]
    return entries[after[-1] + 1 :] if after else entries


def _sent_call(call: ToolCall, at: int) -> dict[str, Json]:
    return {
        "name": call.name,
        "args": dict(call.params or {}),
        "id": call.id or f"call-{at}-{call.name}",
        "type": "tool_call",
    }


def _ending(entry: Mapping[str, Json]) -> AgentError | None:
    """The error for a message of a model that is no answer."""
    metadata, more = entry.get("response_metadata"), entry.get("additional_kwargs")
    if isinstance(more, Mapping) and isinstance(refusal := more.get("refusal"), str) and refusal:
        return bad_ending("refusal", refusal)
    return bad_ending(_reason(metadata)) if isinstance(metadata, Mapping) else None


def _reason(metadata: Mapping[str, Json]) -> str:
    """Why the model behind a message stopped, as its API says."""
    found = metadata.get("finish_reason") or metadata.get("stop_reason")
    return found if isinstance(found, str) else ""


def _sum(before: Usage | None, found: Json) -> Usage | None:
    if not isinstance(found, Mapping):
        return before
    named = ("input_tokens", "output_tokens", "total_tokens")
    counted = (tokens(found.get(key)) for key in named)
    told = Usage.reported(*counted)
    return told if before is None else added_usage(before, told)
