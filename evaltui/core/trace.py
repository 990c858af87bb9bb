"""What an agent did, event by event, and what was expected of its tools: trace schema 1.0."""

from msgspec import Struct, field

from evaltui.core.json_value import Json, JsonObject

CALL_ID = "gen_ai.tool.call.id"
"""The attribute by which a call of a tool and its result know each other."""


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
