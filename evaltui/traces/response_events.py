"""What an agent was asked and did, as the events of a trace."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from evaltui.core.response import AgentResponse, Message, ToolCall, calls_in, with_results
from evaltui.core.trace import AGENT_ACTORS, ASKING_ACTORS, CALL_ID, Event


def response_events(message: str, response: AgentResponse | None) -> tuple[Event, ...]:
    """The conversation in its order, with calls and results; the answer is told once, at the end.

    A result stands where the messages tell it, else behind the calls of its message. It has its own
    time, the last thing that the agent said or called what is left of the agent's.
    """
    steps = list(_steps(message, response))
    if response is not None:
        tools_ms = sum(one.latency_ms or 0.0 for one in steps)
        own = [at for at, one in enumerate(steps) if one.actor in AGENT_ACTORS]
        last = own[-1] if own else -1
        steps[last] = replace(steps[last], latency_ms=max(0.0, response.duration_ms - tools_ms))
    return tuple(replace(step, idx=index) for index, step in enumerate(steps))


def _steps(message: str, response: AgentResponse | None) -> Iterator[Event]:
    if response is None:
        yield _asked(message)
        return
    messages = with_results(response.messages, response.tool_calls)
    if not any(one.role == "user" for one in messages):
        yield _asked(message)
    has_answer = bool(messages) and _is_answer(messages[-1], response)
    called = {_name_of(call) for call in calls_in(messages)}
    told = _told_results(messages)
    told_later = {*told.values()}
    said = ""
    for at, one in enumerate(messages[:-1] if has_answer else messages):
        if one.role in ASKING_ACTORS:
            said = ""
            yield Event(actor=one.role, type="message", input=one.content)
        elif one.role == "assistant":
            if one.content:
                said = one.content
                yield _said(said)
            yield from map(_call, one.tool_calls)
            for number, call in enumerate(one.tool_calls):
                if (at, number) not in told_later:
                    yield _result(call)
        elif at in told:
            where, number = told[at]
            yield _result(messages[where].tool_calls[number])
    for call in response.tool_calls:
        if _name_of(call) not in called:
            yield from (_call(call), _result(call))
    if has_answer or said != response.text:
        yield _said(response.text)


def _told_results(messages: Sequence[Message]) -> dict[int, tuple[int, int]]:
    """By the place of each message that tells a result: that of the message with the call, and the
    number of the call in it. Of several that it can be of, the oldest since the user spoke."""
    found: dict[int, tuple[int, int]] = {}
    waiting: list[tuple[int, int]] = []
    for at, one in enumerate(messages):
        if one.role == "user":
            waiting.clear()
        elif one.role == "tool":
            fits = [
                (where, number)
                for where, number in waiting
                if _is_of(one, messages[where].tool_calls[number])
            ]
            if fits:
                found[at] = fits[0]
                waiting.remove(fits[0])
        else:
            waiting += [(at, number) for number in range(len(one.tool_calls))]
    return found


def _is_of(result: Message, call: ToolCall) -> bool:
    """By its id, else by its tool."""
    if result.tool_call_id and call.id:
        return result.tool_call_id == call.id
    return result.name in ("", call.name)


def _is_answer(last: Message, response: AgentResponse) -> bool:
    return last.role == "assistant" and last.content == response.text and not last.tool_calls


def _name_of(call: ToolCall) -> str:
    return call.id or call.name


def _said(text: str) -> Event:
    return Event(actor="assistant", type="message", output=text)


def _asked(message: str) -> Event:
    return Event(actor="user", type="message", input=message)


def _call(call: ToolCall) -> Event:
    return Event(actor="agent", type="tool_call", input=call.params, **_common(call))


def _result(call: ToolCall) -> Event:
    return Event(
        actor="tool",
        type="tool_result",
        output=call.result,
        error=call.error or ("failed" if call.success is False else None),
        latency_ms=call.duration_ms,
        **_common(call),
    )


def _common(call: ToolCall) -> dict[str, Any]:
    return {"tool": call.name, "attributes": {CALL_ID: call.id} if call.id else {}}
