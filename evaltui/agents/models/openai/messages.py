"""A conversation in the form of chat completions."""

import json
from collections.abc import Sequence
from typing import Any

from evaltui.agents.models.conversation import exchanges
from evaltui.agents.models.openai.reasoning import has_old_form, of_call, of_message
from evaltui.agents.models.tool_names import ToolNames
from evaltui.core.model import ModelMessage
from evaltui.core.response import Message


def write_messages(
    system: str, messages: Sequence[Message], names: ToolNames
) -> list[dict[str, Any]]:
    """The system prompt first, then each message; calls carry their arguments as JSON text."""
    written: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
    for exchange in exchanges(messages):
        message = exchange.message
        if not message.tool_calls:
            written.append({"role": message.role, "content": message.content})
            continue
        kept = message.provider_data if isinstance(message, ModelMessage) else {}
        calls = [
            {
                "id": call.id,
                "type": "function",
                "function": {
                    "name": names.to_api(call.name),
                    "arguments": json.dumps(call.params or {}, ensure_ascii=False),
                },
            }
            | of_call(kept, index)
            for index, call in enumerate(message.tool_calls)
        ]
        said: dict[str, Any] = {"role": "assistant", "content": message.content or None}
        if has_old_form(kept):
            said["function_call"] = calls[0]["function"]
            name, content = said["function_call"]["name"], exchange.results[0][1]
            written += [said, {"role": "function", "name": name, "content": content}]
            continue
        written.append(of_message(kept) | said | {"tool_calls": calls})
        written += [
            {"role": "tool", "tool_call_id": call.id, "content": content}
            for call, content in exchange.results
        ]
    return written
