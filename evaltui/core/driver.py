"""How the answer to a case comes about: which questions the agent is asked, in which order."""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from evaltui.core.case import Case
from evaltui.core.response import AgentResponse, Message
from evaltui.core.verdict import Verdict


class Ask(Protocol):
    """Puts one message to the agent under test, after the conversation so far."""

    def __call__(
        self, message: Message, history: tuple[Message, ...] = ()
    ) -> Awaitable[AgentResponse]: ...


class JudgeTurn(Protocol):
    """Judges one turn of a conversation by one stage of the case's plan."""

    def __call__(
        self,
        stage: int,
        response: AgentResponse,
        messages: tuple[Message, ...],
        *,
        turn: int,
        is_final: bool,
    ) -> Awaitable[tuple[Verdict, ...]]:
        """`response` is of this turn, `messages` are all so far. Raises nothing of its own."""
        ...


Driver: TypeAlias = "Callable[[Case, Ask, JudgeTurn], Awaitable[AgentResponse]]"
"""Makes the response of one attempt that is to be judged. Raises what `Ask` raises: AgentError.

A conversation asks for verdicts on the way, since they decide how it goes on.
"""
