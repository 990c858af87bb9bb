"""Conversations as model APIs want them: every call has an id of its own and a result."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from evaltui.core.response import Message, ToolCall

NOT_EXECUTED = "This tool was not executed."


class Exchange(Struct, frozen=True):
    """A message, and the results of the calls it made: `(call, content)` in the calls' order."""

    message: Message
    results: tuple[tuple[ToolCall, str], ...] = ()


def exchanges(messages: Sequence[Message]) -> list[Exchange]:
    """Put results with their calls, by id, else in order.

    APIs refuse calls without results and results without calls: the first get a text that says
    so, the second are left out. Missing and repeated ids are made anew.
    """
    found: list[Exchange] = []
    for at, message in enumerate(messages):
        if message.role == "tool":
            continue
        if not message.tool_calls:
            found.append(Exchange(message))
            continue
        after: list[Message] = []
        for later in messages[at + 1 :]:
            if later.role != "tool":
                break
            after.append(later)
        found.append(_with_results(message, after, len(found)))
    return found


def _with_results(message: Message, results: list[Message], number: int) -> Exchange:
    left = list(results)
    taken: set[str] = set()
    pairs: list[tuple[ToolCall, str]] = []
    for index, call in enumerate(message.tool_calls):
        result = next((m for m in left if call.id and m.tool_call_id == call.id), None)
        if result is None and left and not left[0].tool_call_id:
            result = left[0]
        if result is not None:
            left.remove(result)
        id_ = call.id if call.id and call.id not in taken else f"call_{number}_{index}"
        taken.add(id_)
        named = call if call.id == id_ else replace(call, id=id_)
        pairs.append((named, NOT_EXECUTED if result is None else result.content))
    calls = tuple(call for call, _ in pairs)
    return Exchange(replace(message, tool_calls=calls), tuple(pairs))
