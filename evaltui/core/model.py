"""The interface to models, which only choose the next step."""

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from evaltui.core.asked import Asked
from evaltui.core.case import CaseKey
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.on_wait import OnWait
from evaltui.core.response import Message, ToolCall, Usage
from evaltui.core.tool import ToolRegistry


class ModelMessage(Message, frozen=True, gc=False):
    """What the model itself said earlier in this attempt, with what its API wants to see again."""

    provider_data: JsonObject = field(default_factory=dict)
    """Thinking, signatures: opaque, in the form of the dialect that took it, sent back as it
    came with the next turn and never kept in a result."""


class ModelRequest(Struct, frozen=True):
    """One model call: the whole conversation and the tools it may choose from."""

    key: CaseKey
    messages: tuple[Message, ...]
    registry: ToolRegistry
    trial: int = 0
    turn: int = 0
    """0-based model call within the attempt."""
    on_text: Callable[[str], None] | None = None
    on_wait: OnWait | None = None
    """As in `AgentRequest`."""


class ModelReply(Struct, frozen=True, gc=False):
    """What a model chose: text, calls, or both."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    first_token_ms: float | None = None
    duration_ms: float | None = None
    """The model's own time when it differs from the wall clock (retries, queueing)."""
    queued_ms: float = 0.0
    retries: int = 0
    notes: tuple[str, ...] = ()
    explanation: Mapping[str, Json] = field(default_factory=dict)
    provider_data: JsonObject = field(default_factory=dict)
    """As in `ModelMessage`."""
    source: str = "live"
    """`live`, `recorded` or `replayed`."""


class Model(Asked):
    """Chooses the next step; `agents/tool_loop.py` makes an agent of it."""

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Raises AgentError."""
        raise NotImplementedError

    async def most_usd(self, request: ModelRequest) -> float | None:  # noqa: ARG002
        """What the answer may cost at most; `None`: it can't tell."""
        return None
