"""What an agent did, event by event, and what was expected of its tools: trace schema 1.0."""

from msgspec import Struct, field

from evaltui.core.json_value import Json, JsonObject

CALL_ID = "gen_ai.tool.call.id"
"""The attribute by which a call of a tool and its result know each other."""
AGENT_ACTORS = frozenset({"assistant", "agent"})
"""Who of an event is the agent itself."""
ASKING_ACTORS = frozenset({"user", "system"})
"""Whose messages are the agent's input."""
TOOL_EVENTS = frozenset({"tool_call", "tool_result"})
"""Types of the events that are no messages."""


class Event(Struct, frozen=True, gc=False):
    """One step of a run: a message, a tool call or its result.

    The fields are the keys of the file. `type` is a free text; known are `message`, `tool_call`
    and `tool_result`, as `actor` `user`, `assistant`, `agent`, `tool` and `system`.
    """

    idx: int = 0
    """0-based place in its trace."""
    ts: str = ""
    """ISO 8601; empty when unknown."""
    actor: str = ""
    type: str = ""
    input: Json = None
    output: Json = None
    tool: str | None = None
    error: str | None = None
    latency_ms: int | float | None = None
    trace_id: str | None = None
    """32 hex digits."""
    span_id: str | None = None
    """16 hex digits, once in a trace."""
    parent_span_id: str | None = None
    attributes: JsonObject = field(default_factory=dict)
    attempt: int | None = None
    """0-based attempt of a repair loop that it belongs to."""

    @property
    def is_said_by_agent(self) -> bool:
        """Whether it is a message of the agent, not a tool call or result."""
        return self.actor in AGENT_ACTORS and self.type not in TOOL_EVENTS


class ToolContract(Struct, frozen=True, gc=False):
    """Which arguments a call of one tool must and must not have."""

    required_args: tuple[str, ...] = ()
    forbidden_args: tuple[str, ...] = ()


class ToolPolicy(Struct, frozen=True, gc=False):
    """Which tools must and must not be called."""

    required_tools: tuple[str, ...] = ()
    forbidden_tools: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.required_tools or self.forbidden_tools)
