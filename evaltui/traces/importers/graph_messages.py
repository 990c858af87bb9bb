"""Messages of LangChain, as LangGraph keeps them in its state."""

from collections.abc import Iterator
from json import dumps

from evaltui.core.json_value import Json
from evaltui.traces.importers.chat_messages import CALLS, read_chat_message
from evaltui.traces.importers.part import Part
from evaltui.traces.importers.roles import actor_of, said_texts
from evaltui.traces.importers.trace_builder import TraceBuilder

_CONTENT = frozenset({"tool_use", "thinking", "reasoning", "function_call", "redacted_thinking"})
"""Blocks of a content that are calls, which `tool_calls` tells too, or thoughts."""


def read_message(said: Part, trace: TraceBuilder) -> None:
    """A message of LangChain, as it stands or as its dumps wrap it."""
    said = unwrapped(said)
    role = said.text("role") or _type(said)
    changed: dict[str, Json] = {**said.value, "role": role}
    if any(said.value.get(key) for key in CALLS) and "content" in said.value:
        changed["content"] = _content(said)
    read_chat_message(Part(changed, said.path, said.outer_time), trace)
    about = said.part("response_metadata")
    if about.value and role in ("ai", "assistant"):
        reason = about.text("finish_reason", "stop_reason")
        trace.mark(
            {
                "gen_ai.response.model": about.text("model_name", "model"),
                "gen_ai.response.finish_reasons": [reason] if reason else [],
            }
        )
        trace.usage(about.part("token_usage", "usage"))


def messages(part: Part, trace: TraceBuilder) -> Iterator[Part]:
    """Messages, of which some may be pairs of a role and a text."""
    listed = part.value.get("messages")
    if isinstance(listed, list):
        whole = [
            {"role": one[0], "content": one[1]}
            if isinstance(one, list) and len(one) == 2 and isinstance(one[0], str)
            else one
            for one in listed
        ]
        part = Part({**part.value, "messages": whole}, part.path, part.outer_time)
    return trace.parts(part, "messages")


def unwrapped(said: Part) -> Part:
    """The message itself, where a dump of LangChain wraps it."""
    for wrap in ("kwargs", "data"):
        if said.part(wrap).value:
            inner = said.part(wrap)
            said = Part({"type": _type(said), **inner.value}, inner.path, inner.outer_time)
    return said


def text_of(said: Part) -> str:
    """What an unwrapped message says and calls, the same however it was written down."""
    content = _content(said)
    text, others = said_texts(role_of(said), content)
    listed = (one for key in CALLS for one in calls_of(said, key))
    calls = [(one.get("name"), one.get("args")) for one in listed]
    plain: Json = content if others else text or ""
    return dumps([plain, calls], sort_keys=True)


def role_of(said: Part) -> str:
    """Who speaks in an unwrapped message: `user`, `assistant`, `tool`, `system` or `agent`."""
    return actor_of(said.text("role") or _type(said))


def calls_of(said: Part, key: str = "tool_calls") -> list[dict[str, Json]]:
    """The calls of an unwrapped message, each with its name, args and id."""
    listed = said.value.get(key)
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def _content(said: Part) -> Json:
    content = said.value.get("content")
    if not isinstance(content, list):
        return content
    return [
        one
        for one in content
        if not isinstance(one, dict) or Part(one).text("type") not in _CONTENT
    ]


def _type(said: Part) -> str:
    """`human`, `ai`, `tool` or `system`, from a type or the name of a class."""
    named = said.value.get("id")
    name = named[-1] if isinstance(named, list) and named else said.value.get("type")
    return str(name).removesuffix("Chunk").removesuffix("Message").lower()
