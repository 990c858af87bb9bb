"""The seams to what is under test: agents answer a message, models only choose the next step."""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from evaltui.core.case import CaseKey
from evaltui.core.expected import NOTHING_EXPECTED, Expected
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
    said: Message | None = None
    """The message with all that it has besides its text; `None`: it has nothing."""
    conversation: str = ""
    """A UUID, the same for all turns of a conversation that one attempt holds; empty for a single
    message."""
    persona: str = ""
    """Name of who says it, in a conversation."""
    is_continued: bool = False
    """Whether the agent itself answered the turn before, in this conversation."""
    trial: int = 0
    """0-based; repeats never share a recording."""
    on_text: Callable[[str], None] | None = None
    """Called with each piece of streamed text."""
    on_tool_call: Callable[[ToolCall], None] | None = None
    on_wait: Callable[[bool], None] | None = None
    """Called with True when a request of it begins to wait for our own limits, then with False:
    that is no time of the agent's."""
    retries: int = 0
    """How often this very attempt was sent before."""
    expected: Expected = NOTHING_EXPECTED
    """What the case expects, for an agent whose traits say that it is told."""
    previous: "tuple[PreviousAttempt, ...]" = ()
    """Attempts at the same case that did not pass, oldest first, when the agent may repair."""

    @property
    def messages(self) -> tuple[Message, ...]:
        """The conversation, oldest first; the last one is to be answered."""
        return (*self.history, self.said or Message("user", self.message))


class PreviousAttempt(Struct, frozen=True, gc=False):
    """An attempt at a case that a repair is asked for."""

    verdicts: tuple[Verdict, ...] = ()
    response: AgentResponse | None = None
    """`None` when there was none; `error` says why."""
    error: str = ""
    """Why it did not pass."""


class AgentTraits(Struct, frozen=True, gc=False):
    """What an agent, or a model, is like.

    One whose traits are unknown counts as one that reads the registry, is sampled and costs money.
    """

    reads_registry: bool = True
    """Whether it is given the tool definitions that evaltui reads: a recorded answer belongs to
    them then. Whether a change of them can matter to another agent nobody knows."""
    is_deterministic: bool = False
    """Whether the same request is always answered in the same way."""
    is_free: bool = False
    """Whether running it costs nothing, so that possibly affected cases rerun at once."""
    may_tell_costs: bool = False
    """Whether its answers can say what they cost: what they say counts, though it is free."""
    max_repairs: int = 0
    """How often it may try again after an attempt that did not pass."""
    settings: str = ""
    """A setting that its results cannot be read without, in words and without secrets."""
    is_told_expectations: bool = False
    """Whether `AgentRequest.expected` is filled in for it; nobody else sees what a case expects."""
    may_read_registry: bool = True
    """Whether a change of the tools can matter to it at all, wherever it has them from."""
    executes_tools: bool = False
    """Whether the calls of a case without stubs are executed by the servers of the registry."""


class _Asked:
    """What agents and models have in common."""

    name: str
    """How results name it: `embedded/1`, an endpoint URL, a profile's name."""
    fingerprint: str
    """Changes when the same request could be answered differently (12 hex digits)."""
    former_fingerprint: str = ""
    """What `fingerprint` was while options counted that shape no answer: results and recordings of
    then are its own. Empty where it is the same."""
    content: str = ""
    """Of what stands in its files, where `fingerprint` does not say it (12 hex digits)."""
    traits: AgentTraits = AgentTraits()

    @property
    def parameters(self) -> JsonObject:
        """What shapes an answer besides the request; recordings are found by it."""
        return {"agent": type(self).__name__, "fingerprint": self.fingerprint}

    @property
    def former_parameters(self) -> JsonObject | None:
        """By which recordings are found that were made while all options counted; `None`: by
        `parameters`."""
        if not self.former_fingerprint:
            return None
        return {**self.parameters, "fingerprint": self.former_fingerprint}

    @property
    def files(self) -> frozenset[Path]:
        """Files of the project it is made of, absolute: when one changes it is another agent."""
        return frozenset()

    def reach(self, message: str, registry: ToolRegistry) -> frozenset[str] | None:  # noqa: ARG002
        """Names of the tools that can shape its answer to a message; `None`: it can't tell."""
        return None

    def considered(self, response: AgentResponse) -> tuple[str, ...] | None:  # noqa: ARG002
        """Names of the tools it weighed for an answer, best first: no other one shaped it.

        `None`: it can't tell.
        """
        return None

    def would_consider(
        self,
        message: str,  # noqa: ARG002
        registry: ToolRegistry,  # noqa: ARG002
        considered: Sequence[str],  # noqa: ARG002
        tools: frozenset[str],
    ) -> frozenset[str]:
        """Which of `tools` it would weigh for a message now.

        Those that it `considered` are as they were, and so are all others.
        """
        return tools

    def read_prints(
        self,
        message: str,  # noqa: ARG002
        registry: ToolRegistry,  # noqa: ARG002
        tools: Collection[str],  # noqa: ARG002
    ) -> Mapping[str, str]:
        """8 hex digits of all that it reads of each tool for a message, by name.

        Where they are equal for two definitions, its answer is the same with either, as far as it
        shows. A tool of which it can't tell is left out.
        """
        return {}

    def hide(self, text: str) -> str:
        """`text` with every secret that it was given replaced."""
        return text

    async def close(self) -> None:
        """Give up connections and processes. By default nothing is open."""


class Agent(_Asked):
    """What the runner calls. Faults are raised as `AgentError`, never returned."""

    def loaded_files(self) -> frozenset[Path]:
        """Files of the project that it loaded and is not known to be made of, absolute.

        Saving one of them reruns nothing.
        """
        return frozenset()

    def disclosed(self, request: AgentRequest) -> JsonObject:
        """All that it is told of stubs, `expect` and earlier attempts; it shapes the answer."""
        return {} if request.stubs is None else {"stubs": request.stubs}

    async def respond(self, request: AgentRequest) -> AgentResponse:
        """Answer one message. Raises AgentError; a time limit is the runner's business."""
        raise NotImplementedError


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
    on_wait: Callable[[bool], None] | None = None
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


class Model(_Asked):
    """Chooses the next step; `agents/tool_loop.py` makes an agent of it."""

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Raises AgentError."""
        raise NotImplementedError

    async def most_usd(self, request: ModelRequest) -> float | None:  # noqa: ARG002
        """What the answer may cost at most; `None`: it can't tell."""
        return None


class _Wrapper(_Asked):
    """What wrappers of agents and of models pass on."""

    def __init__(self, inner: _Asked) -> None:
        self._inner = inner
        self.name = inner.name
        self.fingerprint = inner.fingerprint
        self.former_fingerprint = inner.former_fingerprint
        self.content = inner.content
        self.traits = inner.traits

    @property
    def parameters(self) -> JsonObject:
        return self._inner.parameters

    @property
    def former_parameters(self) -> JsonObject | None:
        return self._inner.former_parameters

    @property
    def files(self) -> frozenset[Path]:
        return self._inner.files

    def reach(self, message: str, registry: ToolRegistry) -> frozenset[str] | None:
        return self._inner.reach(message, registry)

    def considered(self, response: AgentResponse) -> tuple[str, ...] | None:
        return self._inner.considered(response)

    def would_consider(
        self,
        message: str,
        registry: ToolRegistry,
        considered: Sequence[str],
        tools: frozenset[str],
    ) -> frozenset[str]:
        return self._inner.would_consider(message, registry, considered, tools)

    def read_prints(
        self, message: str, registry: ToolRegistry, tools: Collection[str]
    ) -> Mapping[str, str]:
        return self._inner.read_prints(message, registry, tools)

    def hide(self, text: str) -> str:
        return self._inner.hide(text)

    async def close(self) -> None:
        await self._inner.close()


class AgentWrapper(_Wrapper, Agent):
    """Another agent with something around it: what it does not change, it passes on."""

    def __init__(self, agent: Agent) -> None:
        super().__init__(agent)
        self.agent = agent

    def loaded_files(self) -> frozenset[Path]:
        return self.agent.loaded_files()

    def disclosed(self, request: AgentRequest) -> JsonObject:
        return self.agent.disclosed(request)

    async def respond(self, request: AgentRequest) -> AgentResponse:
        return await self.agent.respond(request)


class ModelWrapper(_Wrapper, Model):
    """Another model with something around it: what it does not change, it passes on."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.model = model

    async def complete(self, request: ModelRequest) -> ModelReply:
        return await self.model.complete(request)

    async def most_usd(self, request: ModelRequest) -> float | None:
        return await self.model.most_usd(request)
