"""CrewAI: events of a crew, steps, or what its tasks gave."""

from collections.abc import Sequence

from evaltui.core.json_value import Json, JsonObject
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
_EVENTS = ("crew_", "tool_usage_", "agent_execution_")
"""How the types of its events begin."""
_OWN = words("crew crew_id crew_name tasks_output usage_metrics")


def claims(record: JsonObject) -> bool:
    if any(key in record for key in _OWN):
        return True
    events = record.get("events")
    return any(
        isinstance(one, dict) and str(one.get("type", "")).startswith(_EVENTS)
        for one in (events if isinstance(events, list) else ())
    )


def read(record: Part, trace: TraceBuilder) -> None:
    asked = record.first("inputs", "input")
    if asked is not None:
        trace.message("user", asked, record.inner({}, "inputs"))
    _read_events([_unwrapped(one) for one in trace.parts(record, "events", "steps")], trace)
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


def _unwrapped(event: Part) -> Part:
    """The event with its fields, which its own traces have in `event_data`."""
    inner = event.part("event_data")
    return Part({**event.value, **inner.value}, inner.path, event.time) if inner.value else event


def _read_events(events: Sequence[Part], trace: TraceBuilder) -> None:
    """What a task or the crew gave is an answer, where its agent's is not told as such."""
    answers = [_answer(one) for one in events]
    for event, answer in zip(events, answers, strict=True):
        kind = event.text("type", "event")
        if kind in _ENDS:
            if answer is not None and not _is_told(answer, trace, is_last=kind == _END_OF_ALL):
                trace.message("agent", answer, event)
        elif kind not in _ANSWERS or answer is not None or event.error:
            _read_event(event, trace)
        elif all(one is None for one in answers):
            trace.note("not_told", "what an agent answered", event.path)


_ANSWERS = words("agent_execution_completed llm_call_completed")
_END_OF_ALL = "crew_kickoff_completed"
_ENDS = frozenset({"task_completed", _END_OF_ALL})
"""They tell an answer of an agent again."""


def _answer(event: Part) -> Json:
    kind = event.text("type", "event")
    if kind in _ANSWERS:
        return event.first("output", "response")
    told = event.first("output_raw", "output") if kind in _ENDS else None
    return Part(told).first("raw", "json_dict") if isinstance(told, dict) else told


def _is_told(answer: Json, trace: TraceBuilder, *, is_last: bool) -> bool:
    """Whether an agent gave that answer, maybe behind what it thought; `is_last`: as its last."""
    told = [one["output"] for one in trace.events if one["actor"] == "agent" and not one["tool"]]
    words = str(answer).strip()
    return any(
        one == answer or (isinstance(one, str) and one.strip().endswith(words))
        for one in (told[-1:] if is_last else told)
    )


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
        asked = event.first("inputs", "input")
        if asked is not None and not trace.events:
            trace.message("user", asked, event)
    elif kind == "task_started":
        wanted = event.text("task_description", "description")
        if wanted and all(one["actor"] != "user" for one in trace.events):
            trace.message("user", wanted, event)
    elif kind in ("agent_execution_completed", "llm_call_completed"):
        trace.message("agent", event.first("output", "response"), event)
    elif not kind.endswith(("_started", "_completed")) or kind.startswith("tool_"):
        read_step(event, trace)
