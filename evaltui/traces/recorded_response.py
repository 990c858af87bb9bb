"""A trace as an agent's answer."""

import json
from collections.abc import Iterator, Mapping

from evaltui.core.case import Case, TraceCase
from evaltui.core.json_value import Json
from evaltui.core.response import AgentResponse, Message, ToolCall
from evaltui.core.trace import ASKING_ACTORS, CALL_ID, TOOL_EVENTS, Event
from evaltui.core.trace_times import latencies_ms, latency_of
from evaltui.traces.final_output import final_output
from evaltui.traces.pairing import results_of_calls
from evaltui.traces.reading import trace_body


def recorded_response(case: Case) -> AgentResponse:
    """Text, calls with their results, messages and the time that all of it took.

    Tokens and cost are left aside: nothing is spent by looking at them.
    """
    body = trace_body(case)
    trace = body.trace
    calls = {
        at: recorded_call(trace[at], None if result is None else trace[result])
        for at, result in results_of_calls(trace).items()
    }
    said = final_output(body)
    return AgentResponse(
        text="" if said is None else as_text(said),
        tool_calls=tuple(calls.values()),
        duration_ms=sum(latencies_ms(trace)),
        messages=tuple(_messages(body, calls)),
        turns=sum(one.type not in TOOL_EVENTS and one.output is not None for one in trace),
        source="trace",
    )


def said_in(event: Event) -> Json:
    """What a message says: for the agent it is input where somebody else says it, who may also have
    it as output."""
    is_asked = event.actor in ASKING_ACTORS and event.input is not None
    return event.input if is_asked else event.output


def as_text(value: Json) -> str:
    """A text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def params_of(call: Event) -> dict[str, Json]:
    """The arguments of a call; what is no object is the one argument `input`."""
    if isinstance(call.input, Mapping):
        return dict(call.input)
    return {} if call.input is None else {"input": call.input}


def recorded_call(call: Event, result: Event | None) -> ToolCall:
    """A call with what came of it; without a result nobody knows whether it succeeded."""
    error = call.error or (result.error if result is not None else None) or ""
    return ToolCall(
        call.tool or "",
        params_of(call),
        None if result is None and not error else not error,
        latency_of(result or call),
        result.output if result is not None else None,
        error,
        str(call.attributes.get(CALL_ID) or ""),
    )


def _messages(body: TraceCase, calls: Mapping[int, ToolCall]) -> Iterator[Message]:
    for at, event in enumerate(body.trace):
        if at in calls:
            yield Message("assistant", "", (calls[at],))
        elif event.type == "tool_result":
            call = str(event.attributes.get(CALL_ID) or "")
            yield Message("tool", as_text(event.output), (), call, event.tool or "")
        else:
            said = said_in(event)
            role = event.actor if event.actor in ASKING_ACTORS else "assistant"
            yield Message(role, "" if said is None else as_text(said))
