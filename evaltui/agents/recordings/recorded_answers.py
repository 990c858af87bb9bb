"""Answers as they stand in a recording: only what is there, times to the microsecond."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field, to_builtins

from evaltui.core.json_value import Json, JsonObject
from evaltui.core.model import ModelReply
from evaltui.core.response import REPLAYED, AgentResponse, Execution
from evaltui.disk.codec import convert


class _Call(Struct, omit_defaults=True):
    name: str
    params: JsonObject | None = None
    result: Json = None
    success: bool | None = None
    duration_ms: float | None = None
    error: str = ""
    id: str = ""

    def __post_init__(self) -> None:
        self.duration_ms = _rounded(self.duration_ms)


class _Message(Struct, omit_defaults=True):
    role: str
    content: str
    name: str = ""
    tool_call_id: str = ""
    tool_calls: tuple[_Call, ...] = ()
    extra: JsonObject | None = None


_USAGE_NAMES = {"input_tokens": "input", "output_tokens": "output", "told_total": "total"}


class _Usage(Struct, omit_defaults=True, rename=_USAGE_NAMES):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    told_total: int | None = None


class _Reply(Struct, omit_defaults=True):
    """A model's reply without what belongs to this one exchange: queueing, retries."""

    text: str
    tool_calls: tuple[_Call, ...] = ()
    usage: _Usage | None = None
    first_token_ms: float | None = None
    duration_ms: float | None = None
    notes: tuple[str, ...] = ()
    explanation: JsonObject = field(default_factory=dict)
    provider_data: JsonObject = field(default_factory=dict)
    source: str = ""

    def __post_init__(self) -> None:
        self.first_token_ms = _rounded(self.first_token_ms)
        self.duration_ms = _rounded(self.duration_ms)


class _Response(_Reply, omit_defaults=True, kw_only=True):
    """An agent's response, the conversation included."""

    execution: Execution
    turns: int = 1
    messages: tuple[_Message, ...] = ()


def write_reply(reply: ModelReply) -> JsonObject:
    return _written(reply, _Reply)


def write_response(response: AgentResponse) -> JsonObject:
    return _written(response, _Response)


def read_reply(value: JsonObject) -> ModelReply:
    """Raises ValueError for what is no reply."""
    reply: ModelReply = _read(value, _Reply, ModelReply)
    return reply


def read_response(value: JsonObject) -> AgentResponse:
    """Raises ValueError for what is no response."""
    response: AgentResponse = _read(value, _Response, AgentResponse)
    return response


def _written(answer: ModelReply | AgentResponse, form: type[_Reply]) -> JsonObject:
    kept = convert(answer, form, from_attributes=True)
    kept.source = ""  # it says so of itself when it is read
    written: dict[str, Any] = to_builtins(kept, enc_hook=_plain)
    return written


def _read(value: JsonObject, form: type[_Reply], noun: type[Any]) -> Any:
    kept = convert(value, form)
    kept.source, kept.duration_ms = REPLAYED, kept.duration_ms or 0.0
    return convert(kept, noun, from_attributes=True)


def _rounded(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else round(milliseconds, 3)


def _plain(value: object) -> dict[str, Json]:
    if isinstance(value, Mapping):
        return dict(value)
    raise NotImplementedError(type(value).__name__)
