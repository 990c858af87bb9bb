"""A conversation as models are told of it: as data, which cannot look like a line of a prompt."""

import json
from collections.abc import Sequence

from evaltui.core.json_value import Json
from evaltui.core.response import Message


def conversation_json(messages: Sequence[Message]) -> list[Json]:
    """Who said what, and which tools were called; results of tools among it."""
    return [_message_json(one) for one in messages if one.role != "system"]


def quoted(value: Json) -> str:
    """JSON without line breaks: no text in it can look like a line of the prompt."""
    return json.dumps(value, ensure_ascii=True, default=dict)


_WHO = {"assistant": "agent", "tool": "result of a tool"}


def _message_json(message: Message) -> Json:
    said: dict[str, Json] = {"who": _WHO.get(message.role, "user"), "text": message.content}
    if message.tool_calls:
        said["toolCalls"] = [
            {"name": call.name, "params": call.params} for call in message.tool_calls
        ]
    return said
