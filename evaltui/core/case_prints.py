"""What of a body counts in the fingerprints of its case: those that are kept hang on every item."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import to_builtins

from evaltui.core.json_value import Json
from evaltui.core.message_count import Conversation
from evaltui.core.trace import Event


class Instructed(Conversation, Protocol):
    """A conversation with what it is about."""

    @property
    def name(self) -> str: ...
    @property
    def instructions(self) -> str: ...
    @property
    def success_criteria(self) -> str: ...


def said_in(body: Instructed) -> list[Json]:
    """What decides what is said, as long as no verdict ends it."""
    persona = body.persona
    seeds: list[Json] = [
        [
            *(one.role, one.content, one.name),
            [[call.name, call.params] for call in one.tool_calls],
            *([one.sent_extra] if one.sent_extra else ()),
        ]
        for one in body.seed_messages
    ]
    # A model that plays the persona is told more of it, and of the success criteria: its goal.
    more, goal = ("", "") if persona.lines else (persona.system_prompt, body.success_criteria)
    who: list[Json] = [persona.name, persona.description, more, *persona.lines]
    return [body.name, body.instructions, body.max_messages, goal, who, seeds]


def happened_in(told: Json, trace: Sequence[Event]) -> Json:
    found: list[Json] = [told, to_builtins(trace)]
    return found


def held_against(*parts: object) -> Json:
    """What judges hold a trace against."""
    found: Json = to_builtins(parts)
    return found
