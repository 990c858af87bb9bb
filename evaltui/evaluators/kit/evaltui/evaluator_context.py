"""What an evaluator may look at: the conversation, its last turn, its own settings."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any, Mapping, Optional, Sequence  # noqa: UP035  any Python from 3.9 on

from .context_json import context_json

_NOTHING: Mapping[str, Any] = {}


def last_turn(messages: Sequence[Mapping[str, Any]]) -> int:
    """Where it begins: behind what the user said last."""
    for at in range(len(messages), 0, -1):
        if messages[at - 1].get("role") == "user":
            return at
    return 0


@dataclass(frozen=True)
class ScenarioFacts:
    """What is being played: of a single case its id."""

    name: str
    instructions: Optional[str] = None  # noqa: UP045
    max_messages: Optional[int] = None  # noqa: UP045


@dataclass(frozen=True)
class PersonaFacts:
    """Who is simulated."""

    name: str
    description: Optional[str] = None  # noqa: UP045


@dataclass(frozen=True)
class Invocation:
    """The agent's last turn."""

    latency_ms: float
    messages: tuple[Mapping[str, Any], ...]
    """What it added to the conversation; calls of tools and their results among it."""
    tokens_usage: Optional[Mapping[str, int]] = None  # noqa: UP045
    """`input_tokens`, `output_tokens`, `total_tokens`, of which those are absent that it did not
    tell; `None` when it told none."""
    cost_usd: Optional[float] = None  # noqa: UP045
    """`None` when it is not known."""
    tells_tool_calls: bool = True
    """Whether it reports its calls at all; without, that there are none says nothing."""


_BEHIND_THE_USER = Invocation(0.0, ())


@dataclass(frozen=True)
class ToolUse:
    """One call of a tool."""

    name: str
    arguments: Mapping[str, Any]
    """Empty where they cannot be read."""
    id: str = ""


@dataclass(frozen=True)
class EvaluatorContext:
    """Messages are as in OpenAI's chat format, their `arguments` JSON texts. Nothing of it can be
    changed: another evaluator looks at the same."""

    messages: Sequence[Mapping[str, Any]]
    """The whole conversation so far; kept as a tuple."""
    scenario: ScenarioFacts = ScenarioFacts("")
    last_invocation: Invocation = _BEHIND_THE_USER
    """Without one it is what stands in `messages` behind the user's last line, in 0 ms."""
    config: Mapping[str, Any] = field(default_factory=dict)
    """As it was written beside the type; defaults of the schema are not filled in."""
    persona: Optional[PersonaFacts] = None  # noqa: UP045
    turn: int = 1
    """1-based."""
    is_final: bool = True
    """Whether no further turn follows."""
    _raw: Optional[Mapping[str, Any]] = field(  # noqa: UP045
        default=None, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        messages = tuple(self.messages)
        object.__setattr__(self, "messages", messages)
        if self.last_invocation is _BEHIND_THE_USER:
            own = messages[last_turn(messages) :]
            object.__setattr__(self, "last_invocation", Invocation(0.0, own))

    @property
    def raw(self) -> Mapping[str, Any]:
        """All of it but the settings, with the keys of the evaluators' contract."""
        if self._raw is None:
            object.__setattr__(self, "_raw", context_json(self))
        return self._raw or {}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> EvaluatorContext:
        """From the contract's shape; raises KeyError and TypeError for another one."""
        scenario, persona = value["scenario"], value.get("persona")
        last = value["lastInvocation"]
        made = cls(
            messages=tuple(value["messages"]),
            scenario=ScenarioFacts(
                scenario["name"], scenario.get("instructions"), scenario.get("maxMessages")
            ),
            last_invocation=Invocation(
                last["latencyMs"],
                tuple(last["messages"]),
                last.get("tokensUsage"),
                last.get("costUsd"),
                last.get("toolCallsReported") is not False,
            ),
            config=value.get("config") or _NOTHING,
            persona=None
            if persona is None
            else PersonaFacts(persona["name"], persona.get("description")),
            turn=value.get("turn", 1),
            is_final=value.get("isFinal", True),
        )
        object.__setattr__(made, "_raw", value)
        return made

    def with_config(self, config: Mapping[str, Any]) -> EvaluatorContext:
        """The same with other settings; both have the same `raw`."""
        made = replace(self, config=config)
        object.__setattr__(made, "_raw", self.raw)
        return made

    @property
    def last_response(self) -> str:
        """What the agent said last in this turn; empty when it said nothing."""
        for message in reversed(self.last_invocation.messages):
            if message.get("role") == "assistant" and (text := message_text(message)):
                return text
        return ""

    @property
    def tool_calls(self) -> tuple[ToolUse, ...]:
        """The tools that were called in this turn, in that order."""
        return tuple(
            _tool_use(call)
            for message in self.last_invocation.messages
            if message.get("role") == "assistant"
            for call in message.get("tool_calls") or ()
        )


def message_text(content: Any) -> str:
    """The text of a message or of its content: of a list the blocks of text, one a line."""
    if isinstance(content, Mapping):
        content = content.get("content")
    if isinstance(content, str):
        return content
    if not isinstance(content, (list, tuple)):
        return ""
    blocks = (block for block in content if isinstance(block, Mapping))
    texts = (str(block.get("text") or "") for block in blocks if block.get("type") == "text")
    return "\n".join(filter(None, texts))


def _tool_use(call: Mapping[str, Any]) -> ToolUse:
    function = call.get("function") or {}
    try:
        arguments = json.loads(function.get("arguments") or "{}")
    except (ValueError, TypeError, RecursionError):
        arguments = {}
    known = arguments if isinstance(arguments, dict) else {}
    return ToolUse(str(function.get("name") or ""), known, str(call.get("id") or ""))
