"""What the agent did: the answer, the calls, the conversation and what it cost."""

from enum import StrEnum

from msgspec import Struct, field

from evaltui.core.json_value import Json, JsonObject


class Execution(StrEnum):
    """How tool calls were executed; decides what `noToolErrors` means (contract A8, A9)."""

    ROUTING = "routing"
    """Tools were chosen, never executed."""
    STUBS = "stubs"
    """The case's stubs answered."""
    REAL = "real"
    """The agent executed them itself and reports success."""


class ToolCall(Struct, frozen=True, gc=False):
    """One tool call; `params` and `success` are `None` when the agent did not report them."""

    name: str
    params: JsonObject | None = None
    success: bool | None = None
    duration_ms: float | None = None
    result: Json = None
    error: str = ""
    id: str = ""


class Message(Struct, frozen=True, gc=False):
    """One message of the conversation: role `system`, `user`, `assistant` or `tool`."""

    role: str
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    name: str = ""


class Usage(Struct, frozen=True, gc=False):
    """Tokens and money; `cost_usd` is `None` when no price is known."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None


class AgentResponse(Struct, frozen=True, gc=False):
    """The complete answer to one message; `duration_ms` is the agent's own time (contract B5)."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    duration_ms: float = 0.0
    execution: Execution = Execution.REAL
    messages: tuple[Message, ...] = ()
    usage: Usage | None = None
    turns: int = 1
    """Model calls (or agent invocations) it took."""
    first_token_ms: float | None = None
    queued_ms: float = 0.0
    """Waiting for a slot or a back-off, not part of `duration_ms`."""
    retries: int = 0
    source: str = "live"
    """`live`, `recorded` or `replayed`."""
    notes: tuple[str, ...] = ()
    """What the reader must know, e.g. that stubs were not used or two tools overlap."""
    explanation: JsonObject = field(default_factory=dict)
    """Why these tools: the agent's own evidence, shown in the detail pane."""
