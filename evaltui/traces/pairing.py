"""Which result of a trace belongs to which call."""

from collections.abc import Mapping, Sequence

from evaltui.core.trace import CALL_ID, Event


def belong(call: Event, result: Event) -> bool:
    """Whether a result can be that of a call which is open: by its id, else by its tool."""
    named = result.attributes.get(CALL_ID)
    if named is not None and call.attributes.get(CALL_ID) is not None:
        return bool(named == call.attributes[CALL_ID])
    return result.tool is None or result.tool == call.tool


def may_call(event: Event) -> bool:
    """Whether a tool was called by it, or by an event of a type that nobody knows: what must not be
    called must not be called by another name either."""
    return bool(event.tool) and event.type not in ("message", "tool_result")


def attempt_of(event: Event) -> int:
    """The attempt of a repair loop that it belongs to; without a number it is the first one."""
    return event.attempt or 0


def results_of_calls(trace: Sequence[Event]) -> Mapping[int, int | None]:
    """By the place of each call that of its result: of the oldest open call of its attempt that
    fits; `None` where there is none."""
    found: dict[int, int | None] = {}
    open_: dict[int, list[int]] = {}
    for at, event in enumerate(trace):
        waiting = open_.setdefault(attempt_of(event), [])
        if event.type == "tool_call":
            waiting.append(at)
            found[at] = None
        elif event.type == "tool_result":
            call = next((one for one in waiting if belong(trace[one], event)), None)
            if call is not None:
                waiting.remove(call)
                found[call] = at
    return found
