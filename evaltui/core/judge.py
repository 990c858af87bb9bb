"""The interface between code that judges with a model and that model: question in, text out."""

from typing import Protocol

from msgspec import Struct

from evaltui.core.case import CaseKey


class JudgeRequest(Struct, frozen=True, gc=False):
    """One question to a judge; it stands alone and holds all that is to be judged."""

    key: CaseKey
    prompt: str
    vote: int = 0
    """0-based; the same question asked again is another judgement, and another recording."""


class JudgeReply(Struct, frozen=True, gc=False):
    """What the judge said, unread: it may be anything."""

    text: str
    cost_usd: float | None = None


class Judge(Protocol):
    """Answers questions about answers; `agents` and their models never hear of it."""

    @property
    def name(self) -> str: ...

    async def ask(self, request: JudgeRequest) -> JudgeReply:
        """Raises AgentError."""
        ...


class Panel(Struct, frozen=True):
    """Who judges, and how its judgements make a verdict."""

    judge: Judge
    votes: int = 1
    """Judgements of each dimension; odd, so that a majority decides."""
    threshold: float | None = None
    """Share of the highest score from which on a graded dimension passes; `None`: it only
    measures."""
    player: Judge | None = None
    """Who plays users; `None`: who judges."""
