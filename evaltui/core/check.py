"""A check judges a context; stages of checks make a plan."""

from collections.abc import Awaitable, Mapping
from typing import Protocol, TypeAlias

from msgspec import Struct, field

from evaltui.core.case import Case
from evaltui.core.json_value import Json
from evaltui.core.response import AgentResponse, Message
from evaltui.core.verdict import Verdict


class CheckContext(Struct, frozen=True):
    """What a check may look at: the case, the final response, the conversation so far."""

    case: Case
    response: AgentResponse
    seed: Json = None
    snapshot: Json = None
    messages: tuple[Message, ...] = ()
    turn: int = 1
    """1-based."""
    is_final: bool = True
    kept: Mapping[int, tuple[Verdict, ...]] = field(default_factory=dict)
    """By turn, what was said of the same answer before, by a judge with the same settings."""

    def known(self, check: str, asked: str) -> Verdict | None:
        """The verdict of the last time, where a model would be asked the same now."""
        kept = self.kept.get(self.turn, ())
        return next((one for one in kept if one.check == check and one.asked == asked), None)


class Check(Protocol):
    """One thing that can be said about a response. `run` may answer at once or be awaited."""

    @property
    def name(self) -> str: ...

    def run(self, context: CheckContext) -> "Verdict | Awaitable[Verdict]": ...


Stage: TypeAlias = "tuple[Check, ...]"
"""Checks that run concurrently and all settle."""
Plan: TypeAlias = "tuple[Stage, ...]"
"""The next stage starts only while no verdict gates; of a conversation each stage judges every turn
by itself, when the driver asks for it."""
