"""What the simulated user says next, where its lines are written down."""

from typing import Protocol

from msgspec import Struct

from evaltui.core.case import ScenarioCase
from evaltui.core.response import Message


class SpokenLine(Struct, frozen=True, gc=False):
    """One line of the user, and what it cost to think of it."""

    text: str
    cost_usd: float | None = None


class Speaker(Protocol):
    """Who talks to the agent."""

    @property
    def has_more(self) -> bool: ...

    async def next_line(self, messages: tuple[Message, ...]) -> SpokenLine:
        """For a conversation in which it is the user's turn. Raises AgentError."""
        ...


class PersonaLines:
    """Says the lines of the file one after the other."""

    def __init__(self, body: ScenarioCase) -> None:
        self._lines = list(reversed(body.persona.lines))

    @property
    def has_more(self) -> bool:
        return bool(self._lines)

    async def next_line(self, messages: tuple[Message, ...]) -> SpokenLine:  # noqa: ARG002
        """Only while there are more."""
        return SpokenLine(self._lines.pop())
