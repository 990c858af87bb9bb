"""What an agent was asked and did, as the events of a trace."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from evaltui.core.response import AgentResponse, Message, ToolCall, calls_in
from evaltui.core.trace import CALL_ID, Event
from evaltui.traces.final_output import AGENTS


def response_events(message: str, response: AgentResponse | None) -> tuple[Event, ...]:
    """The conversation in its order, with calls and results; the answer is told once, at the end.

    Calls have their own time, the last thing that the agent said or called what is left of its own.
    """
    steps = list(_steps(message, response))
    if response is not None:
        tools_ms = sum(one.latency_ms or 0.0 for one in steps)
        own = [at for at, one in enumerate(steps) if one.actor in AGENTS]
        last = own[-1] if own else -1
        steps[last] = replace(steps[last], latency_ms=max(0.0, response.duration_ms - tools_ms))
    return tuple(replace(step, idx=index) for index, step in enumerate(steps))


def _steps(message: str, response: AgentResponse | None) -> Iterator[Event]:
    if response is None:
        yield _asked(message)
        return
    messages = response.messages
    if not any(one.role == "user" for one in messages):
        yield _asked(message)
    has_answer = bool(messages) and _is_answer(messages[-1], response)
    called = {_name_of(call) for call in calls_in(messages)}
    said = ""
    for one in messages[:-1] if has_answer else messages:
        if one.role in ("user", "system"):
            said = ""
            yield Event(actor=one.role, type="message", input=one.content)
        elif one.role == "assistant":
            if one.content:
                said = one.content
                yield _said(said)
            for call in one.tool_calls:
                yield from _called(call)
    for call in response.tool_calls:
        if _name_of(call) not in called:
            yield from _called(call)
    if has_answer or said != response.text:
        yield _said(response.text)


def _is_answer(last: Message, response: AgentResponse) -> bool:
    return last.role == "assistant" and last.content == response.text and not last.tool_calls


def _name_of(call: ToolCall) -> str:
    return call.id or call.name


def _said(text: str) -> Event:
    return Event(actor="assistant", type="message", output=text)


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
