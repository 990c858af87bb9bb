"""What an agent was asked and did, as the events of a trace."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from evaltui.core.response import AgentResponse, ToolCall
from evaltui.core.trace import CALL_ID, Event


def response_events(message: str, response: AgentResponse | None) -> tuple[Event, ...]:
    """The conversation in its order, with calls and results; the answer is the last event.

    Calls have their own time, the last event what is left of the agent's.
    """
    steps = list(_steps(message, response))
    if response is not None:
        tools_ms = sum(one.latency_ms or 0.0 for one in steps)
        steps[-1] = replace(steps[-1], latency_ms=max(0.0, response.duration_ms - tools_ms))
    return tuple(replace(step, idx=index) for index, step in enumerate(steps))


def _steps(message: str, response: AgentResponse | None) -> Iterator[Event]:
    if response is None:
        yield _asked(message)
        return
    messages = response.messages
    if not any(one.role == "user" for one in messages):
        yield _asked(message)
    called: set[str] = set()
    said = ""
    for one in messages:
        if one.role in ("user", "system"):
            yield Event(actor=one.role, type="message", input=one.content)
        elif one.role == "assistant":
            if one.content:
                said = one.content
                yield Event(actor="assistant", type="message", output=said)
            for call in one.tool_calls:
                called.add(call.id or call.name)
                yield from _called(call)
    for call in response.tool_calls:
        if (call.id or call.name) not in called:
            yield from _called(call)
    if said != response.text or called or response.tool_calls:
        yield Event(actor="assistant", type="message", output=response.text)


def _asked(message: str) -> Event:
    return Event(actor="user", type="message", input=message)


def _called(call: ToolCall) -> Iterator[Event]:
    attributes: Mapping[str, Any] = {CALL_ID: call.id} if call.id else {}
    common = {"tool": call.name, "attributes": dict(attributes)}
    yield Event(actor="agent", type="tool_call", input=call.params, **common)  # type: ignore[arg-type]
    yield Event(
        actor="tool",
        type="tool_result",
        output=call.result,
        error=call.error or ("failed" if call.success is False else None),
        latency_ms=call.duration_ms,
        **common,  # type: ignore[arg-type]
    )
