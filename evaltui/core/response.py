"""What the agent did: the answer, the calls, the conversation and what it cost."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import islice

from msgspec import Struct, field
from msgspec.structs import replace

from evaltui.core.json_value import Json, JsonObject
from evaltui.core.verdict import Verdict

REPLAYED = "replayed"
"""Where an answer is from that was recorded and only read."""


REPORTS_NO_CALLS = "this agent reports no tool calls: assertions about tools see none"
RETURNS_TEXT_ONLY = "the function returned text only: assertions about tools see no calls"


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
    """As text: of blocks those of text, one a line."""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    name: str = ""
    extra: JsonObject | None = None
    """What it has besides, in the shape of OpenAI's chat format: `id`, `metadata`, keys that nobody
    knows here; `content` where it is no text, `tool_calls` where one cannot be read."""

    @property
    def sent_extra(self) -> JsonObject:
        """What of `extra` an agent is sent that takes messages as they are."""
        own = ("metadata", "tool_calls")
        return {key: value for key, value in (self.extra or {}).items() if key not in own}


def calls_in(messages: Iterable[Message]) -> tuple[ToolCall, ...]:
    """All that these messages make, in their order."""
    return tuple(call for one in messages for call in one.tool_calls)


def with_results(messages: tuple[Message, ...], known: Sequence[ToolCall]) -> tuple[Message, ...]:
    """With what came of each call, which an agent may tell beside its messages alone."""
    made = calls_in(messages)
    if [one.name for one in made] != [one.name for one in known]:
        return messages
    calls = iter(replace(one, id=one.id or own.id) for one, own in zip(known, made, strict=True))
    return tuple(
        replace(one, tool_calls=(*islice(calls, len(one.tool_calls)),)) if one.tool_calls else one
        for one in messages
    )


class Usage(Struct, frozen=True, gc=False):
    """Tokens and money; each is `None` when it is not known, which says nothing of the others."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    told_total: int | None = None
    """What the agent says that all of them are, where it is not the sum of both: thinking, say."""

    @classmethod
    def reported(
        cls,
        tokens_in: int | None,
        tokens_out: int | None,
        total: int | None = None,
        cost_usd: float | None = None,
    ) -> "Usage | None":
        """As an agent tells it; a total of 0 is none. `None` when it tells nothing."""
        is_new = total not in (0, None, _sum((tokens_in, tokens_out)))
        usage = cls(tokens_in, tokens_out, cost_usd, total if is_new else None)
        return None if usage == cls() else usage

    @property
    def total_tokens(self) -> int | None:
        """`None` when it is not known: a part alone would be too low."""
        total = self.told_total
        return _sum((self.input_tokens, self.output_tokens)) if total is None else total

    @property
    def told_tokens(self) -> dict[str, int]:
        """What is known of them, by the names that evaluators and runs have for it."""
        told = {
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "total_tokens": self.total_tokens,
        }
        return {name: number for name, number in told.items() if number is not None}


def total_usage(usages: Iterable[Usage], cost_usd: float | None) -> Usage:
    """Tokens of all of them together, which are unknown where those of one are."""
    known = [*usages]
    is_reported = any(one.told_total is not None for one in known)
    return Usage(
        _sum(one.input_tokens for one in known),
        _sum(one.output_tokens for one in known),
        cost_usd,
        _sum(one.total_tokens for one in known) if is_reported else None,
    )


def _sum(numbers: Iterable[int | None]) -> int | None:
    """`None` where one is unknown, or there is none."""
    known = [*numbers]
    told = [one for one in known if one is not None]
    return sum(told) if known and len(told) == len(known) else None


def added_usage(left: Usage | None, right: Usage | None) -> Usage | None:
    """Tokens and money of both; what is unknown of one is unknown of both."""
    if left is None or right is None:
        return None
    known = left.cost_usd is not None and right.cost_usd is not None
    cost = (left.cost_usd or 0.0) + (right.cost_usd or 0.0) if known else None
    return total_usage((left, right), cost)


def telling_calls(answer: "AgentResponse") -> "AgentResponse":
    """As one of an agent that is known to report its calls: where none is told, none was made."""
    untold = (REPORTS_NO_CALLS, RETURNS_TEXT_ONLY)
    notes = tuple([note for note in answer.notes if note not in untold])
    return replace(answer, notes=notes, tells_calls=True)


class Turn(Struct, frozen=True, gc=False):
    """One turn of the agent in a conversation: its part of the messages, and how it was judged."""

    first: int
    """Index of its first message in those of the response; what the user said stands before it."""
    end: int
    """Index behind its last message."""
    duration_ms: float = 0.0
    usage: Usage | None = None
    is_final: bool = False
    """Whether it was known to be the last when evaluators judged it."""
    verdicts: tuple[Verdict, ...] = ()
    played_usd: float | None = None
    """What the model was paid that played the user before it."""
    tells_calls: bool = True
    """Whether the agent had reported calls by then, or reports them in every answer."""


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
    """`live`, `recorded`, `replayed`, or `trace` for what happened elsewhere."""
    notes: tuple[str, ...] = ()
    """What the reader must know, e.g. that stubs were not used or two tools overlap."""
    explanation: JsonObject = field(default_factory=dict)
    """Why these tools: the agent's own evidence, shown in the detail pane."""
    conversation: tuple[Turn, ...] = ()
    """Of a scenario: its turns, into which `messages` are divided; text and usage are of the last
    turn and of all."""
    tells_calls: bool = True
    """Whether the agent reports its calls at all: without, none is not known to be none."""

    @property
    def is_silent_on_calls(self) -> bool:
        """Whether nobody knows if it called a tool: none is told, and the agent tells none."""
        return not self.tells_calls and not self.tool_calls

    def of_turn(self, turn: Turn) -> "AgentResponse":
        """What the agent answered in one turn of a conversation; `messages` are its part."""
        messages = self.messages[turn.first : turn.end]
        said = [one.content for one in messages if one.role == "assistant" and one.content]
        calls = calls_in(messages)
        return AgentResponse(
            text=said[-1] if said else "",
            tool_calls=calls,
            duration_ms=turn.duration_ms,
            execution=self.execution,
            messages=messages,
            usage=turn.usage,
            source=self.source,
            tells_calls=turn.tells_calls and (self.tells_calls or bool(calls)),
        )
