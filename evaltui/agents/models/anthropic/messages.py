"""A conversation in the form of Anthropic's messages: roles take turns, results are blocks."""

from collections.abc import Sequence
from typing import Any

from evaltui.agents.models.anthropic.thinking import in_their_places
from evaltui.agents.models.conversation import NOT_EXECUTED, exchanges
from evaltui.agents.models.tool_names import ToolNames
from evaltui.core.model import ModelMessage
from evaltui.core.response import Message


def write_messages(
    system: str, messages: Sequence[Message], names: ToolNames
) -> tuple[str, list[dict[str, Any]]]:
    """The system text and the messages; neighbours of one role become one message.

    The API refuses empty texts: they are left out, except for a lone empty user message, about
    which the API shall say so itself.
    """
    systems = [system] if system else []
    written: list[dict[str, Any]] = []
    for exchange in exchanges(messages):
        message = exchange.message
        if message.role == "system":
            systems.append(message.content)
            continue
        blocks: list[dict[str, Any]] = []
        if message.content or (message.role == "user" and len(messages) == 1):
            blocks.append({"type": "text", "text": message.content})
        blocks += [
            {
                "type": "tool_use",
                "id": call.id,
                "name": names.to_api(call.name),
                "input": call.params or {},
            }
            for call in message.tool_calls
        ]
        if isinstance(message, ModelMessage):
            blocks = list(in_their_places(message.provider_data, blocks))
        _add(written, message.role, blocks)
        _add(
            written,
            "user",
            [
                _result(call.id, content, call.success is False or content == NOT_EXECUTED)
                for call, content in exchange.results
            ],
        )
    return "\n\n".join(systems), written


def _result(id_: str, content: str, is_error: bool) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": id_, "content": content}
    return block | {"is_error": True} if is_error else block


def _add(written: list[dict[str, Any]], role: str, blocks: list[dict[str, Any]]) -> None:
    if not blocks:
        return
    if written and written[-1]["role"] == role:
        written[-1]["content"] += blocks
    else:
        written.append({"role": role, "content": blocks})
