"""The interface to what is under test: an agent answers a message."""

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from evaltui.core.asked import Asked
from evaltui.core.case import CaseKey
from evaltui.core.expected import NOTHING_EXPECTED, Expected
from evaltui.core.json_value import JsonObject
from evaltui.core.on_wait import OnWait
from evaltui.core.response import AgentResponse, Message, ToolCall
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
    on_wait: OnWait | None = None
    """Called with True when a request of it begins to wait for our own limits, then with False:
    that is no time of the agent's."""
    retries: int = 0
    """How often this very attempt was sent before."""
    expected: Expected = NOTHING_EXPECTED
    """What the case expects, for an agent whose traits say that it is told."""
    other_files: str = ""
    """As `Inputs.other_files`."""
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


class Agent(Asked):
    """What the runner calls. Faults are raised as `AgentError`, never returned."""

    def loaded_files(self) -> frozenset[Path]:
        """Files of the project that it loaded and is not known to be made of, absolute.

        Saving one of them reruns nothing.
        """
        return frozenset()

    def check_files(self) -> None:
        """Raises NoMoreError when a file that it is made of was saved since it was read: what it
        answers, or does not in time, would count for other code."""

    def disclosed(self, request: AgentRequest) -> JsonObject:
        """All that it is told of stubs, `expect` and earlier attempts; it shapes the answer."""
        return {} if request.stubs is None else {"stubs": request.stubs}

    async def respond(self, request: AgentRequest) -> AgentResponse:
        """Answer one message. Raises AgentError; a time limit is the runner's business."""
        raise NotImplementedError
