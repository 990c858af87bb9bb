"""A pack as JSON lines in the manner of OpenTelemetry: a span for each event."""

from collections.abc import Iterator, Sequence

from evaltui.core.json_value import Json, JsonObject
from evaltui.evidence.otel.pack_events import UNKNOWN, Step
from evaltui.traces.importers.otlp_values import ESTIMATED
from evaltui.traces.wire import line

SERVICE = "evaltui"


def event_lines(config: JsonObject, case: Sequence[Step], *, version: str) -> Iterator[bytes]:
    """One line for each event of a case; `version` is that of evaltui."""
    origin = {
        "resource": {"service.name": SERVICE, "service.version": version},
        "scope": {"name": SERVICE, "version": version},
    }
    for step in case:
        yield line({**origin, **_span(config, step)})


def _span(config: JsonObject, step: Step) -> dict[str, Json]:
    row = step.row
    event_attributes = {
        "actor": row.actor,
        "input": row.input,
        "output": row.output,
        "error": row.error,
        "latency_ms": row.latency_ms,
    }
    attributes: dict[str, Json] = {
        "gen_ai.request.model": config.get("model") or UNKNOWN,
        **row.attributes,
        "gen_ai.operation.name": row.type,
        "gen_ai.tool.name": row.tool,
        "gen_ai.system": step.system,
        "gen_ai.agent.name": config.get("agent_version") or UNKNOWN,
        "agent_eval.case_id": row.case_id,
        "agent_eval.run_id": row.run_id,
        "agent_eval.attempt": row.attempt,
        ESTIMATED: True if step.is_estimated else None,
    }
    return {
        "trace_id": step.trace_id,
        "span_id": step.span_id,
        "parent_span_id": step.parent_span_id,
        "name": row.type,
        "kind": "INTERNAL",
        "start_time": step.start.isoformat(),
        "end_time": step.end.isoformat(),
        "status": {"code": "ERROR" if row.error else "OK"},
        "attributes": _present(attributes),
        "events": [{"name": "agent.trace.event", "attributes": _present(event_attributes)}],
    }


def _present(attributes: JsonObject) -> dict[str, Json]:
    return {key: value for key, value in attributes.items() if value is not None}
