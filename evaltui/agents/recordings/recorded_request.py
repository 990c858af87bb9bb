"""Everything that shapes an answer, in a form that can be kept, compared and hashed."""

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any

from msgspec import Struct, field

from evaltui.core.asked import AgentTraits
from evaltui.core.fingerprint import tool_fingerprints
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.response import Message
from evaltui.core.tool import ToolRegistry, ToolStatus, short_hash
from evaltui.disk.recordings import variables_of

KEY_DIGITS = 16


class RecordedRequest(Struct, frozen=True, dict=True):
    """One request. Ids of calls are left out: APIs make up new ones each time."""

    parameters: JsonObject
    """The agent's type and model, and every option that shapes its answers."""
    messages: tuple[JsonObject, ...]
    tools: Mapping[str, str]
    """By name, in the order offered: hash of the description, and of the parameters. Of an agent
    that is not given them, though they may matter to it: of their version and status too."""
    trial: int
    turn: int = 0
    case: JsonObject = field(default_factory=dict)
    """Stubs and limits, where the agent itself is told of them."""
    variables: str = ""
    """As `Asked.variables`. No part of the key: on a machine that has none of them, and of an
    earlier version, it is not known."""

    @cached_property
    def key(self) -> str:
        parts = [
            self.parameters, self.messages, list(self.tools.items()),
            self.trial, self.turn, self.case,
        ]  # fmt: skip
        text = json.dumps(parts, sort_keys=True, ensure_ascii=False, default=_plain)
        return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:KEY_DIGITS]

    def as_json(self) -> JsonObject:
        request: dict[str, Json] = {
            "trial": self.trial,
            "turn": self.turn,
            "parameters": self.parameters,
            "messages": list(self.messages),
            "tools": self.tools,
        }
        request |= {"case": self.case} if self.case else {}
        return request | ({"variables": self.variables} if self.variables else {})

    def answered_by(self, entries: Sequence[JsonObject]) -> JsonObject | None:
        """The entry of this request: first of one that tells of the same variables, then of one of
        which it is not known, unless there are several that tell of different ones."""
        by_variables = {
            variables_of(entry): entry
            for entry in reversed(entries)
            if entry.get("key") == self.key
        }
        if (same := by_variables.get(self.variables)) is not None:
            return same
        if self.variables:
            return by_variables.get("")
        return next(iter(by_variables.values())) if len(by_variables) == 1 else None


class ToolPrints:
    """Hashes of a registry's tools, made once for each registry."""

    def __init__(self, traits: AgentTraits) -> None:
        """`traits`: of who is asked, whose answers belong to the tools that can matter to it."""
        self._traits = traits
        self._registry: ToolRegistry | None = None
        self._prints: Mapping[str, str] = {}

    def of(self, registry: ToolRegistry) -> Mapping[str, str]:
        """`DESCRIPTION PARAMETERS` by name, 12 hex digits each, `-` for what is not there.

        `DESCRIPTION PARAMETERS VERSION STATUS`, sorted, for an agent that has them from elsewhere;
        none for one that has nothing to do with them.
        """
        if registry is not self._registry:
            self._prints = self._of(registry)
            self._registry = registry
        return self._prints

    def _of(self, registry: ToolRegistry) -> dict[str, str]:
        if self._traits.reads_registry:
            return {
                tool.name: f"{tool.description_hash or '-'} {_schema_hash(tool.parameters)}"
                for tool in registry
                if tool.status is not ToolStatus.REMOVED
            }
        if not self._traits.may_read_registry:
            return {}
        # What such an agent sees of a tool nobody knows: all that makes its results due counts.
        tools = sorted(registry, key=lambda tool: tool.name)
        return {tool.name: " ".join(tool_fingerprints(tool).values()) for tool in tools}


def message_json(messages: Sequence[Message]) -> tuple[JsonObject, ...]:
    """What of each message reaches the model."""
    return tuple(_message(message) for message in messages)


def _message(message: Message) -> JsonObject:
    blocks = (message.extra or {}).get("content")
    written: dict[str, Json] = {"role": message.role, "content": blocks or message.content}
    if message.name:
        written["name"] = message.name
    if message.tool_calls:
        written["tool_calls"] = [
            {"name": call.name, "params": call.params} for call in message.tool_calls
        ]
    return written


def _schema_hash(parameters: JsonObject | None) -> str:
    if parameters is None:
        return "-"
    return short_hash(json.dumps(parameters, sort_keys=True, ensure_ascii=False, default=_plain))


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return list(value)
