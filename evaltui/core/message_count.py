"""How many messages a conversation has, and whether the agent can still have its turn."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from evaltui.core.persona import Persona
from evaltui.core.response import Message


class Conversation(Protocol):
    """What of a scenario decides who speaks, and for how long."""

    @property
    def persona(self) -> Persona: ...
    @property
    def seed_messages(self) -> Sequence[Message]: ...
    @property
    def max_messages(self) -> int: ...


def message_count(messages: Iterable[Message]) -> int:
    """Of user and agent; a message of the agent that only calls tools counts, a result does not."""
    return sum(one.role in ("user", "assistant") for one in messages)


def is_users_turn(body: Conversation, messages: Sequence[Message]) -> bool:
    """Whether the next line is the user's: nobody said anything yet, or the agent had its turn,
    which may end with a result of a tool. One that seed messages end with is the agent's to answer.
    """
    said = [one for one in messages if one.role != "system"]
    if not said or said[-1].role == "assistant":
        return True
    return said[-1].role == "tool" and len(messages) > len(body.seed_messages)


def has_agent_turn(body: Conversation, messages: Sequence[Message]) -> bool:
    """Whether the agent can still say something before the limit, by the number of messages.

    A line of the user that reaches the limit would not be answered: it is not said.
    """
    return message_count(messages) + is_users_turn(body, messages) < body.max_messages


def why_no_turn(body: Conversation) -> str:
    """Why the agent could never be asked; empty when it can."""
    if has_agent_turn(body, body.seed_messages):
        return ""
    said = message_count(body.seed_messages)
    before = f"{said} seed {'message is' if said == 1 else 'messages are'} there"
    if is_users_turn(body, body.seed_messages):
        before += " and the user's line comes first"
    return f"no agent turn was possible: `maxMessages` is {body.max_messages}, {before}"


def unsaid_lines(body: Conversation, messages: Sequence[Message], said: int) -> str:
    """That the limit was reached before all lines were, of which so many were said; or empty."""
    lines = len(body.persona.lines)
    if said >= lines or has_agent_turn(body, messages):
        return ""
    left = lines - said
    return (
        f"`maxMessages` ({body.max_messages}) was reached: {left} of {lines} persona lines"
        f" {'was' if left == 1 else 'were'} never said"
    )


def messages_for_all_lines(body: Conversation) -> int:
    """The least `maxMessages` with which every line is said and answered: by an agent that calls
    no tools."""
    seeds = body.seed_messages
    return message_count(seeds) + (not is_users_turn(body, seeds)) + 2 * len(body.persona.lines)


def needs_player(body: Conversation) -> bool:
    """Whether somebody has to play the user: lines are wanted, and none are written down."""
    if body.persona.lines:
        return False
    seeds = body.seed_messages
    if is_users_turn(body, seeds):
        return True
    return has_agent_turn(body, (*seeds, Message("assistant", "")))


def most_without_player(body: Conversation) -> int | None:
    """The most that `maxMessages` may be for nobody to have to play the user: the agent answers
    what is there, and that is all; `None` where the user's line comes first."""
    seeds = body.seed_messages
    return None if is_users_turn(body, seeds) else message_count(seeds) + 2
