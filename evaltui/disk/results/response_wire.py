"""An answer and its conversation as result files have them, both ways."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import astuple

from evaltui.core.json_value import Json, JsonObject
from evaltui.core.response import AgentResponse, Execution, Message, ToolCall, Turn, Usage
from evaltui.disk.codec import EMPTY, WrittenText, parse
from evaltui.disk.results.verdict_wire import VerdictWire, verdict_of, verdict_to_wire

_NOTHING = Raw(EMPTY)


class CallWire(Struct, rename="camel", omit_defaults=True, gc=False):
    """As `ToolCall`; what an agent did not report is null."""

    name: str
    params: JsonObject | UnsetType | None = UNSET
    success: bool | UnsetType | None = UNSET
    duration_ms: float | UnsetType | None = UNSET
    result: Json | UnsetType = UNSET
    error: str = ""
    id: str = ""


class MessageWire(Struct, rename="camel", omit_defaults=True, gc=False):
    """As `Message`."""

    role: str
    content: str
    tool_calls: tuple[CallWire, ...] = ()
    tool_call_id: str = ""
    name: str = ""
    extra: JsonObject | None = None


class UsageWire(Struct, rename="camel", gc=False):
    """As `Usage`."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    told_total: int | UnsetType = UNSET


class TurnWire(Struct, rename="camel", omit_defaults=True, gc=False):
    """As `Turn`."""

    first: int
    end: int
    duration_ms: float = 0
    usage: UsageWire | None = None
    is_final: bool = False
    verdicts: tuple[VerdictWire, ...] = ()
    played_usd: float | None = None
    tells_calls: bool = True


class ResponseWire(Struct, rename="camel", omit_defaults=True, gc=False):
    """As `AgentResponse`, all but the text and the calls, which the case itself has."""

    duration_ms: float | None = None
    execution: Execution = Execution.REAL
    messages: tuple[MessageWire, ...] = ()
    usage: UsageWire | None = None
    turns: int = 1
    first_token_ms: float | None = None
    queued_ms: float = 0
    retries: int = 0
    source: str = "live"
    notes: tuple[str, ...] = ()
    explanation: Raw = _NOTHING
    conversation: tuple[TurnWire, ...] = ()
    tells_calls: bool = True


def calls_to_wire(calls: tuple[ToolCall, ...]) -> tuple[CallWire, ...]:
    return tuple([CallWire(*astuple(call)) for call in calls])


def response_to_wire(response: AgentResponse) -> ResponseWire:
    messages = [
        MessageWire(one.role, one.content, calls_to_wire(one.tool_calls), *astuple(one)[3:])
        for one in response.messages
    ]
    usage = _usage_to_wire(response.usage)
    conversation = tuple([_turn_to_wire(turn) for turn in response.conversation])
    wire = ResponseWire(
        response.duration_ms,
        response.execution,
        tuple(messages),
        usage,
        *(*astuple(response)[6:-2], conversation, response.tells_calls),
    )
    wire.queued_ms = response.queued_ms or 0
    if not (isinstance(response.explanation, WrittenText) or response.explanation):
        wire.explanation = _NOTHING
    return wire


def _turn_to_wire(turn: Turn) -> TurnWire:
    return TurnWire(
        turn.first,
        turn.end,
        turn.duration_ms or 0,
        _usage_to_wire(turn.usage),
        turn.is_final,
        tuple([verdict_to_wire(verdict) for verdict in turn.verdicts]),
        turn.played_usd,
        turn.tells_calls,
    )


def _usage_to_wire(usage: Usage | None) -> UsageWire | None:
    if usage is None:
        return None
    total = UNSET if usage.told_total is None else usage.told_total
    return UsageWire(usage.input_tokens, usage.output_tokens, usage.cost_usd, total)


def _usage(wire: UsageWire | None) -> Usage | None:
    if wire is None:
        return None
    total = None if wire.told_total is UNSET else wire.told_total
    return Usage(wire.input_tokens, wire.output_tokens, wire.cost_usd, total)


def _calls(wires: tuple[CallWire, ...]) -> tuple[ToolCall, ...]:
    return tuple([_call(astuple(wire)) for wire in wires])


def _call(values: tuple[Any, ...]) -> ToolCall:
    if UNSET in values:
        values = tuple([None if value is UNSET else value for value in values])
    return ToolCall(*values)


def response_of(text: str, calls: tuple[CallWire, ...], wire: ResponseWire | None) -> AgentResponse:
    """Text and calls as the case has them; the rest is at its defaults without a wire."""
    more = wire or ResponseWire()
    messages = [
        Message(one.role, one.content, _calls(one.tool_calls), *astuple(one)[3:])
        for one in more.messages
    ]
    return AgentResponse(
        text,
        _calls(calls),
        more.duration_ms or 0.0,
        more.execution,
        tuple(messages),
        _usage(more.usage),
        *(
            *astuple(more)[4:-3],
            written_object(bytes(more.explanation)),
            tuple([_turn(one) for one in more.conversation]),
            more.tells_calls,
        ),
    )


def _turn(wire: TurnWire) -> Turn:
    return Turn(
        wire.first,
        wire.end,
        wire.duration_ms,
        _usage(wire.usage),
        wire.is_final,
        tuple([verdict_of(one) for one in wire.verdicts]),
        wire.played_usd,
        wire.tells_calls,
    )


def written_object(text: bytes) -> JsonObject:
    """The object that a text says; empty for a text that says none.

    Most of what is kept of an answer is why its tools were chosen: a hundred values, which nobody
    looks at while results are carried from one file to the next.
    """
    if text == EMPTY or not text.startswith(b"{"):
        return {}
    return WrittenObject(text) if _is_as_we_write(text) else _read(text)


class WrittenObject(WrittenText, Mapping[str, Json]):
    """Like the mapping that its text says."""

    def __getitem__(self, key: str) -> Json:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return repr(self._values)

    @cached_property
    def _values(self) -> JsonObject:
        return _read(self.text)


def _read(text: bytes) -> JsonObject:
    try:
        found = parse(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _is_as_we_write(text: bytes) -> bool:
    """On one line, and without a piece that is made whole when it is read."""
    return b"\n" not in text and b"\r" not in text and b"\\u" not in text and _is_utf8(text)


def _is_utf8(text: bytes) -> bool:
    try:
        return text.isascii() or bool(text.decode())
    except UnicodeDecodeError:
        return False
