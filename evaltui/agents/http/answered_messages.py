"""An answer that is the conversation so far: what of it the agent said."""

from collections.abc import Mapping

from evaltui.agents.http.answer_mapping import AnswerMapping
from evaltui.agents.http.json_path import MISSING, first_at
from evaltui.agents.langgraph_messages import content_text
from evaltui.core.errors import AgentError
from evaltui.core.json_value import Json
from evaltui.core.response import Message


def answered_messages(value: Json, mapping: AnswerMapping, sent: int) -> tuple[Message, ...]:
    """Those behind the `sent` that it was given, with roles and texts alone; none where the mapping
    names no such list, it is not there, or a text stands beside it.

    Raises AgentError where the agent added none of its own.
    """
    path = mapping.messages
    if path is None or any(
        first_at(value, one) not in (MISSING, None, "")
        for one in (mapping.text, *mapping.text_instead)
    ):
        return ()
    if not isinstance(found := first_at(value, path), list):
        return ()
    added = tuple(
        Message(str(one["role"]), content_text(one["content"], "\n"))
        for one in found[sent:]
        if isinstance(one, Mapping) and one.get("role") and "content" in one
    )
    if any(one.role == "assistant" for one in added):
        return added
    raise AgentError(
        f"No response messages from connector: `{path}` has none of the agent's behind the {sent} "
        "that were sent. Answer with the whole conversation.",
        category="contract_violation",
    )


def last_text(messages: tuple[Message, ...]) -> str:
    """What the agent said last; empty when it said nothing."""
    said = (one.content for one in reversed(messages) if one.role == "assistant" and one.content)
    return next(said, "")
