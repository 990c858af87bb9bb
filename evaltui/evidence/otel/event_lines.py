"""A pack as JSON lines in the manner of OpenTelemetry: a span for each event."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from evaltui.core.json_value import Json, JsonObject
from evaltui.core.trace import AGENT_ACTORS
from evaltui.evidence.otel.pack_events import UNKNOWN, Step
from evaltui.traces.importers.otlp_values import ESTIMATED
from evaltui.traces.importers.usage import with_more
from evaltui.traces.measured import in_current_words
from evaltui.traces.wire import line

SERVICE = "evaltui"


def event_lines(
    config: JsonObject, case: Sequence[Step], used: JsonObject, *, version: str
) -> Iterator[bytes]:
    """One line for each event of a case. `used`: tokens and cost that the case tells beside its
    events; `version` is that of evaltui."""
    origin = {
        "resource": {"service.name": SERVICE, "service.version": version},
        "scope": {"name": SERVICE, "version": version},
    }
    for step in _with_usage(case, used):
        yield line({**origin, **_span(config, step)})


def _with_usage(case: Sequence[Step], used: JsonObject) -> list[Step]:
    """Told by the last event that tells such an amount of its own, else by the agent's last one."""
    found = [*case]
    for name, amount in used.items():
        said = [in_current_words(one.row.attributes) for one in found]
        telling = [at for at, one in enumerate(said) if one.get(name) is not None]
        own = [at for at, one in enumerate(found) if one.row.actor in AGENT_ACTORS]
        at = (telling or own or [len(found) - 1])[-1]
        row = replace(found[at].row, attributes=with_more(said[at], {name: amount}))
        found[at] = replace(found[at], row=row)
    return found


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
