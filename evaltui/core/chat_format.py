"""Messages and calls of tools in the shape of OpenAI's chat format."""

import json

import msgspec

from evaltui.core.json_value import Json, JsonObject
from evaltui.core.response import Message, ToolCall


def message_json(message: Message) -> dict[str, Json]:
    """All of it, as far as it was told."""
    said: dict[str, Json] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        said["tool_calls"] = [*map(call_json, message.tool_calls)]
    if message.tool_call_id:
        said["tool_call_id"] = message.tool_call_id
    if message.name:
        said["name"] = message.name
    return {**said, **message.extra} if message.extra else said


def call_json(call: ToolCall, arguments: str | None = None) -> dict[str, Json]:
    """`arguments`: their text, where it is none of a JSON object."""
    if arguments is None:
        arguments = _text(call.params or {})
    return {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": arguments},
    }


def _text(params: JsonObject) -> str:
    try:
        # In a tenth of the time: a save has all of them written.
        text = msgspec.json.encode(params).decode()
    except (UnicodeEncodeError, TypeError, OverflowError):
        text = "null"
    if "null" not in text:  # it would say so of a number that is none
        return text
    return json.dumps(params, ensure_ascii=False, separators=(",", ":"), default=dict)
