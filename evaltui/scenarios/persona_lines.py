"""What the simulated user says next, where its lines are written down."""

from typing import Protocol

from evaltui.core.case import ScenarioCase
from evaltui.core.response import Message


class Speaker(Protocol):
    """Who talks to the agent."""

    @property
    def has_more(self) -> bool: ...

    async def next_line(self, messages: tuple[Message, ...]) -> str:
        """For a conversation in which it is the user's turn. Raises AgentError."""
        ...


class PersonaLines:
    """Says the lines of the file one after the other."""

    def __init__(self, body: ScenarioCase) -> None:
        self._lines = list(reversed(body.persona.lines))

    @property
    def has_more(self) -> bool:
        return bool(self._lines)

    async def next_line(self, messages: tuple[Message, ...]) -> str:  # noqa: ARG002
        """Only while there are more."""
        return self._lines.pop()
