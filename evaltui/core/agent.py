"""The seams to what is under test: agents answer a message, models only choose the next step."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol, runtime_checkable

from msgspec import Struct, field

from evaltui.core.case import CaseKey
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.response import AgentResponse, Message, ToolCall, Usage
from evaltui.core.tool import ToolRegistry
from evaltui.core.verdict import Verdict


class AgentRequest(Struct, frozen=True):
    """One attempt at one case."""

    key: CaseKey
    message: str
    registry: ToolRegistry
    stubs: JsonObject | None = None
    max_turns: int = 5
    timeout_s: float = 60.0
    history: tuple[Message, ...] = ()
    """Earlier messages of a conversation, oldest first; empty for a single-message case."""
    trial: int = 0
    """0-based; repeats never share a recording."""
    on_text: Callable[[str], None] | None = None
    """Called with each piece of streamed text."""
    on_tool_call: Callable[[ToolCall], None] | None = None
    retries: int = 0
    """How often this very attempt was sent before."""
    expect: JsonObject | None = None
    """What the case expects. Only for agents that `IsTold`; no other one may look."""
    previous: "tuple[PreviousAttempt, ...]" = ()
    """Attempts at the same case that did not pass, oldest first, when the agent may repair."""


class PreviousAttempt(Struct, frozen=True, gc=False):
    """An attempt at a case that a repair is asked for."""

    verdicts: tuple[Verdict, ...] = ()
    response: AgentResponse | None = None
    """`None` when there was none; `error` says why."""
    error: str = ""
    """Why it did not pass."""


class Agent(Protocol):
    """What the runner calls. Faults are raised as `AgentError`, never returned."""

    @property
    def name(self) -> str:
        """How results name it: `embedded/1`, an endpoint URL, a profile's name."""
        ...

    @property
    def fingerprint(self) -> str:
        """Changes when the same request could be answered differently (12 hex digits)."""
        ...

    @property
    def is_free(self) -> bool:
        """Whether running it costs nothing, so that possibly affected cases rerun at once."""
        ...

    @property
    def reads_registry(self) -> bool:
        """Whether its answers depend on the tool definitions that evaltui reads."""
        ...

    async def respond(self, request: AgentRequest) -> AgentResponse:
        """Answer one message. Raises AgentError; a time limit is the runner's business."""
        ...

    async def close(self) -> None: ...


@runtime_checkable
class ReadsByMessage(Protocol):
    """An agent or model that knows which tools can shape its answer to a message at all."""

    def relevant_tools(self, message: str, registry: ToolRegistry) -> frozenset[str] | None:
        """Names of those tools; editing any other one changes nothing. `None`: it can't tell."""
        ...


@runtime_checkable
class MadeOfFiles(Protocol):
    """An agent that is made of files of the project: when one changes it is another agent."""

    @property
    def files(self) -> frozenset[Path]:
        """Absolute paths."""
        ...


@runtime_checkable
class LoadsFiles(Protocol):
    """An agent that may load files of the project which nobody could know of beforehand."""

    @property
    def unseen_files(self) -> frozenset[Path]:
        """Absolute paths of those it has loaded: saving one reruns nothing."""
        ...


@runtime_checkable
class HasSettings(Protocol):
    """An agent or model with a setting that its results cannot be read without."""

    @property
    def settings(self) -> str:
        """In words, without secrets: `calls a tool from p ≥ 0.40`; empty when there are none."""
        ...


@runtime_checkable
class IsTold(Protocol):
    """An agent that is told what is expected, and how its earlier attempts were judged."""

    @property
    def max_repairs(self) -> int:
        """How often it may try again after an attempt that did not pass."""
        ...

    def told(self, request: AgentRequest) -> JsonObject:
        """All that it is told of `expect`, stubs and earlier attempts; it shapes the answer."""
        ...


class ModelRequest(Struct, frozen=True):
    """One model call: the whole conversation and the tools it may choose from."""

    key: CaseKey
    messages: tuple[Message, ...]
    registry: ToolRegistry
    trial: int = 0
    turn: int = 0
    """0-based model call within the attempt."""
    on_text: Callable[[str], None] | None = None


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
    source: str = "live"
    """`live`, `recorded` or `replayed`."""


class Model(Protocol):
    """Chooses the next step; `agents/tool_loop.py` makes an agent of it."""

    @property
    def name(self) -> str: ...

    @property
    def fingerprint(self) -> str: ...

    @property
    def is_free(self) -> bool: ...

    async def complete(self, request: ModelRequest) -> ModelReply: ...

    async def close(self) -> None: ...
