"""Steps in various programs' terms for what happened: type, actor, tool, input, output, error."""

from evaltui.core.json_value import Json
from evaltui.traces.importers.part import Part
from evaltui.traces.importers.trace_builder import TraceBuilder

_CALLS = frozenset({"tool_call", "function_call", "on_tool_start", "tool_start", "tool_calls"})
_RESULTS = frozenset(
    {"tool_result", "function_result", "on_tool_end", "tool_end", "tool_output", "on_tool_error"}
)


def read_step(step: Part, trace: TraceBuilder) -> None:
    """A call, a result, a call with its result, or a message."""
    kind, since = step.text("type", "event"), len(trace.events)
    tool = step.text("tool", "tool_name", "name")
    call_id = step.text("tool_call_id", "call_id", "id")
    if kind in _CALLS:
        trace.call(tool, step.first("input", "arguments", "args", "tool_args"), step, call_id)
        answer = step.first("output", "result")
        if tool and (answer is not None or step.error):
            rest = {key: value for key, value in step.value.items() if key != "span_id"}
            trace.result(answer, Part(rest, step.path, step.outer_time), tool=tool, call_id=call_id)
    elif kind in _RESULTS:
        answer = step.first("output", "result", "content")
        trace.result(answer, step, tool=tool, call_id=call_id)
    else:
        role: Json = step.first("role", "actor")
        words = step.first("input", "content", "output", "message", "text")
        if role is None and words is None and not step.error:
            trace.note("dropped_item", "a step that nobody said or called", step.path)
            return
        trace.says(role or "agent", words, step)
    trace.mark_own(step, since)
