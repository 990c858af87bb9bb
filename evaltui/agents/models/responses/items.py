"""A conversation as the items of OpenAI's Responses."""

import json
from collections.abc import Sequence
from typing import Any

from evaltui.agents.models.conversation import Exchange, exchanges
from evaltui.agents.models.tool_names import ToolNames
from evaltui.core.model import ModelMessage
from evaltui.core.response import Message

OUTPUT = "output"
"""What of an answer is sent back as it came: its items, reasoning among them."""


def write_items(messages: Sequence[Message], names: ToolNames) -> list[dict[str, Any]]:
    """Messages, calls and their results, each an item of its own."""
    written: list[dict[str, Any]] = []
    for exchange in exchanges(messages):
        written += _said(exchange, names)
        written += [
            {"type": "function_call_output", "call_id": call.id, "output": content}
            for call, content in exchange.results
        ]
    return written


def _said(exchange: Exchange, names: ToolNames) -> list[dict[str, Any]]:
    message = exchange.message
    kept: Any = message.provider_data.get(OUTPUT) if isinstance(message, ModelMessage) else None
    if kept and _ids(kept) == [call.id for call in message.tool_calls]:
        return [dict(item) for item in kept]
    items: list[dict[str, Any]] = []
    if message.content or not message.tool_calls:
        items.append({"role": message.role, "content": message.content})
    return items + [
        {
            "type": "function_call",
            "call_id": call.id,
            "name": names.to_api(call.name),
            "arguments": json.dumps(call.params or {}, ensure_ascii=False),
        }
        for call in message.tool_calls
    ]


def _ids(items: Sequence[dict[str, Any]]) -> list[Any]:
    return [item.get("call_id") for item in items if item.get("type") == "function_call"]
