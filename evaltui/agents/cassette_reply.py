"""Answers as they stand in a recording: only what is there, times to the microsecond."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaltui.core.agent import ModelReply
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.response import AgentResponse, Execution, Message, ToolCall, Usage


def write_reply(reply: ModelReply) -> JsonObject:
    """A model's reply without what belongs to this one exchange: queueing, retries."""
    return _kept(
        text=reply.text,
        tool_calls=[_write_call(call) for call in reply.tool_calls],
        usage=_write_usage(reply.usage),
        first_token_ms=_rounded(reply.first_token_ms),
        duration_ms=_rounded(reply.duration_ms),
        notes=list(reply.notes),
        explanation=reply.explanation,
    )


def read_reply(value: JsonObject) -> ModelReply:
    """Raises KeyError, TypeError or ValueError for what is no reply."""
    return ModelReply(
        text=_text(value["text"]),
        tool_calls=tuple(_read_call(call) for call in _list(value, "tool_calls")),
        usage=_read_usage(value.get("usage")),
        first_token_ms=_number(value.get("first_token_ms")),
        duration_ms=_number(value.get("duration_ms")) or 0.0,
        notes=tuple(_text(note) for note in _list(value, "notes")),
        explanation=_object(value.get("explanation", {})),
        source="replayed",
    )


def write_response(response: AgentResponse) -> JsonObject:
    """An agent's response, the conversation included."""
    return _kept(
        text=response.text,
        tool_calls=[_write_call(call) for call in response.tool_calls],
        execution=response.execution.value,
        turns=response.turns,
        usage=_write_usage(response.usage),
        first_token_ms=_rounded(response.first_token_ms),
        duration_ms=_rounded(response.duration_ms),
        notes=list(response.notes),
        messages=[_write_message(message) for message in response.messages],
        explanation=response.explanation,
    )


def read_response(value: JsonObject) -> AgentResponse:
    """Raises KeyError, TypeError or ValueError for what is no response."""
    return AgentResponse(
        text=_text(value["text"]),
        tool_calls=tuple(_read_call(call) for call in _list(value, "tool_calls")),
        duration_ms=_number(value.get("duration_ms")) or 0.0,
        execution=Execution(_text(value["execution"])),
        messages=tuple(_read_message(message) for message in _list(value, "messages")),
        usage=_read_usage(value.get("usage")),
        turns=int(_number(value.get("turns", 1)) or 0),
        first_token_ms=_number(value.get("first_token_ms")),
        source="replayed",
        notes=tuple(_text(note) for note in _list(value, "notes")),
        explanation=_object(value.get("explanation", {})),
    )


def _write_call(call: ToolCall) -> JsonObject:
    written: dict[str, Json] = {"name": call.name}
    if call.params is not None:
        written["params"] = call.params
    if call.result is not None:
        written["result"] = call.result
    return written | _kept(
        success=call.success,
        duration_ms=_rounded(call.duration_ms),
        error=call.error,
        id=call.id,
    )


def _read_call(value: Json) -> ToolCall:
    call = _object(value)
    success = call.get("success")
    if success is not None and not isinstance(success, bool):
        raise TypeError("`success` is not true or false")
    params = call.get("params")
    return ToolCall(
        name=_text(call["name"]),
        params=None if params is None else _object(params),
        success=success,
        duration_ms=_number(call.get("duration_ms")),
        result=call.get("result"),
        error=_text(call.get("error", "")),
        id=_text(call.get("id", "")),
    )


def _write_message(message: Message) -> JsonObject:
    return {"role": message.role, "content": message.content} | _kept(
        name=message.name,
        tool_call_id=message.tool_call_id,
        tool_calls=[_write_call(call) for call in message.tool_calls],
    )


def _read_message(value: Json) -> Message:
    message = _object(value)
    return Message(
        role=_text(message["role"]),
        content=_text(message["content"]),
        tool_calls=tuple(_read_call(call) for call in _list(message, "tool_calls")),
        tool_call_id=_text(message.get("tool_call_id", "")),
        name=_text(message.get("name", "")),
    )


def _write_usage(usage: Usage | None) -> JsonObject | None:
    if usage is None:
        return None
    counts: dict[str, Json] = {"input": usage.input_tokens, "output": usage.output_tokens}
    return counts if usage.cost_usd is None else counts | {"cost_usd": usage.cost_usd}


def _read_usage(value: Json) -> Usage | None:
    if value is None:
        return None
    usage = _object(value)
    return Usage(
        int(_number(usage.get("input", 0)) or 0),
        int(_number(usage.get("output", 0)) or 0),
        _number(usage.get("cost_usd")),
    )


def _kept(**fields: Any) -> dict[str, Any]:
    """Without what says nothing; `text` always stays."""
    return {
        key: value
        for key, value in fields.items()
        if key == "text" or (value is not None and value != "" and value != [] and value != {})
    }


def _rounded(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else round(milliseconds, 3)


def _text(value: Json) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not text")
    return value


def _number(value: Json) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r} is not a number")
    return value


def _object(value: Json) -> JsonObject:
    if not isinstance(value, Mapping):
        raise TypeError(f"{value!r} is not an object")
    return value


def _list(value: JsonObject, key: str) -> Sequence[Json]:
    found = value.get(key, [])
    if not isinstance(found, list | tuple):
        raise TypeError(f"`{key}` is not a list")
    return found
