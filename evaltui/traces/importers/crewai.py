"""CrewAI: events of a crew, steps, or what its tasks gave."""

from evaltui.core.json_value import JsonObject
from evaltui.traces.importers.part import Part, words
from evaltui.traces.importers.steps import read_step
from evaltui.traces.importers.trace_builder import TraceBuilder
from evaltui.traces.importers.usage import usage_attributes

KEYS = words(
    """
    id crew crew_id crew_name agents tasks events steps tasks_output raw pydantic json_dict
    token_usage usage usage_metrics inputs input metadata framework created_at ts timestamp error
    latency_ms duration_ms trace_id attributes
    """
)
_OWN = words("crew crew_id crew_name tasks_output usage_metrics")


def claims(record: JsonObject) -> bool:
    if any(key in record for key in _OWN):
        return True
    events = record.get("events")
    return any(
        isinstance(one, dict) and str(one.get("type", "")).startswith(("crew_", "tool_usage_"))
        for one in (events if isinstance(events, list) else ())
    )


def read(record: Part, trace: TraceBuilder) -> None:
    asked = record.first("inputs", "input")
    if asked is not None:
        trace.message("user", asked, record.inner({}, "inputs"))
    for event in trace.parts(record, "events", "steps"):
        _read_event(event, trace)
    for task in trace.parts(record, "tasks_output"):
        if asked is None and task.text("description"):
            trace.message("user", task.text("description"), task.inner({}, "description"))
        for message in trace.parts(task, "messages"):
            read_step(message, trace)
        trace.message("agent", task.first("raw", "json_dict"), task)
    if not trace.events and record.text("raw"):
        trace.message("agent", record.text("raw"), record)
    if record.error:
        trace.failed(record.error, record)
    used = record.part("token_usage", "usage_metrics", "usage")
    trace.usage_of_all(usage_attributes(used))
    trace.mark({}, record.latency_ms)


def _read_event(event: Part, trace: TraceBuilder) -> None:
    """Events of the crew's bus; others as steps, and those that only say that it works left out."""
    kind = event.text("type", "event")
    tool = event.text("tool_name", "tool", "name")
    if kind == "tool_usage_started":
        trace.call(tool, event.first("tool_args", "input"), event)
    elif kind in ("tool_usage_finished", "tool_usage_error"):
        if not trace.calls.has_open(tool):
            trace.call(tool, event.first("tool_args", "input"), event.inner({}, "tool_args"))
        trace.result(event.first("output", "result"), event, tool=tool)
    elif kind == "crew_kickoff_started":
        if not trace.events:
            trace.message("user", event.first("inputs", "input"), event)
    elif kind in ("agent_execution_completed", "llm_call_completed"):
        trace.message("agent", event.first("output", "response"), event)
    elif not kind.endswith(("_started", "_completed")) or kind.startswith("tool_"):
        read_step(event, trace)
