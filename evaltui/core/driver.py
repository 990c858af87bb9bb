"""How the answer to a case comes about: which questions the agent is asked, in which order."""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from evaltui.core.case import Case
from evaltui.core.response import AgentResponse, Message


class Ask(Protocol):
    """Puts one message to the agent under test, after the conversation so far."""

    def __call__(
        self, message: str, history: tuple[Message, ...] = ()
    ) -> Awaitable[AgentResponse]: ...


Driver: TypeAlias = "Callable[[Case, Ask], Awaitable[AgentResponse]]"
"""Makes the response of one attempt that is to be judged. Raises what `Ask` raises: AgentError."""
