"""What an agent added to a conversation, however it reports it."""

from collections.abc import Sequence
from itertools import islice

from msgspec.structs import replace

from evaltui.core.made_messages import made_messages
from evaltui.core.response import AgentResponse, Message, ToolCall, calls_in


def added_messages(answer: AgentResponse, asked: Sequence[Message]) -> tuple[Message, ...]:
    """Its part of the conversation; never empty. Its calls stand there whole: whoever wants to know
    what came of one asks its message.

    `asked`: what it was given. Agents report the whole conversation, their own part, or no messages
    at all, so that they are made of text and calls.
    """
    told = answer.messages
    if told[: len(asked)] == tuple(asked):
        part = told[len(asked) :]
    else:
        users = [at for at, one in enumerate(told) if one.role == "user"]
        part = told[users[-1] + 1 :] if users else told
    part = tuple(one for one in part if one.role in ("assistant", "tool"))
    if any(one.role == "assistant" for one in part):
        return _whole(part, answer.tool_calls)
    return tuple(made_messages(answer))


def _whole(part: tuple[Message, ...], known: Sequence[ToolCall]) -> tuple[Message, ...]:
    """With what came of each call, which an agent may tell beside its messages alone."""
    made = calls_in(part)
    if [one.name for one in made] != [one.name for one in known]:
        return part
    calls = iter(replace(one, id=one.id or own.id) for one, own in zip(known, made, strict=True))
    return tuple(
        replace(one, tool_calls=(*islice(calls, len(one.tool_calls)),)) if one.tool_calls else one
        for one in part
    )


def askable(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The conversation as models take it: calls that nobody answered are left out."""
    answered = {one.tool_call_id for one in messages if one.role == "tool"}
    found: list[Message] = []
    for one in messages:
        calls = tuple(call for call in one.tool_calls if call.id in answered)
        found.append(one if calls == one.tool_calls else _without_calls(one, calls))
    return tuple(found)


def _without_calls(message: Message, calls: tuple[ToolCall, ...]) -> Message:
    """With these calls alone; its blocks may be of the others too, so that its text is told."""
    extra = {key: value for key, value in (message.extra or {}).items() if key != "content"}
    return replace(message, tool_calls=calls, extra=extra or None)
