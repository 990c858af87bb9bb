"""Who speaks in the words of various providers, and what stands between the texts of a message."""

from collections.abc import Sequence

from evaltui.core.json_value import Json
from evaltui.core.trace import AGENT_ACTORS, ASKING_ACTORS
from evaltui.traces.importers.part import texts

_ACTORS = AGENT_ACTORS | ASKING_ACTORS | {"tool"}
_OTHER_ROLES = {
    "human": "user",
    "ai": "assistant",
    "developer": "system",
    "function": "tool",
    "model": "agent",
}


def said_texts(role: Json, content: Json) -> tuple[str | None, Sequence[str]]:
    """As `texts`, of what this role says: the parts of an agent's answer are pieces of one text,
    each with its own sources for instance; those of others were written one by one."""
    return texts(content, between_texts(role))


def between_texts(role: Json) -> str:
    """What stands between the texts of one message of this role."""
    return "" if actor_of(role) in AGENT_ACTORS else "\n"


def actor_of(role: Json) -> str:
    """Who speaks: roles of providers become those of a trace, any unknown one the agent."""
    known = role.lower() if isinstance(role, str) else ""
    return known if known in _ACTORS else _OTHER_ROLES.get(known, "agent")
