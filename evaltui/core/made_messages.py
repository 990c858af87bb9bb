"""Messages constructed for an agent that reports only its text and its calls."""

import json
from collections.abc import Iterator

from msgspec.structs import replace

from evaltui.core.json_value import Json
from evaltui.core.response import AgentResponse, Message, ToolCall


def made_messages(answer: AgentResponse) -> Iterator[Message]:
    """Its calls, their results, its text; at least one message. Calls without an id get one."""
    if answer.tool_calls:
        calls = tuple(
            call if call.id else replace(call, id=f"call_{number}")
            for number, call in enumerate(answer.tool_calls, 1)
        )
        yield Message("assistant", "", calls)
        yield from (_result(call) for call in calls if call.result is not None or call.error)
    if answer.text or not answer.tool_calls:
        yield Message("assistant", answer.text)


def _result(call: ToolCall) -> Message:
    result: Json = {"error": call.error} if call.result is None else call.result
    content = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
    return Message("tool", content, tool_call_id=call.id, name=call.name)
