"""Who talks to the agent in a conversation, and when failure criteria end it."""

from enum import StrEnum

from msgspec import Struct


class FailureMode(StrEnum):
    """When failure criteria that are met end a conversation; the value is EvalStudio's."""

    EVERY_TURN = "every_turn"
    ON_MAX_MESSAGES = "on_max_messages"
    """Only when nothing more can be said."""


class Persona(Struct, frozen=True, gc=False):
    """Who talks to the agent."""

    name: str = ""
    description: str = ""
    system_prompt: str = ""
    """For a model that plays it."""
    lines: tuple[str, ...] = ()
    """What it says, line by line; without them a model has to play it."""
