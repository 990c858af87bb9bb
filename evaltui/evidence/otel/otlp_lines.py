"""A pack as OTLP: a request of OpenTelemetry's protocol a line, each with the trace of one case."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from evaltui.core.json_value import Json, JsonObject
from evaltui.core.trace import CALL_ID
from evaltui.evidence.otel.event_lines import SERVICE
from evaltui.evidence.otel.pack_events import UNKNOWN, Step, nanoseconds
from evaltui.evidence.otel.turns import ModelTurn, ToolRun, message_of, text_of, turns
from evaltui.traces.migration import hex_id
from evaltui.traces.wire import line

_INTERNAL, _CLIENT = 1, 3
_ERROR = 2
_DEEPEST = 20
"""Levels of an attribute; what lies deeper is JSON in a text."""
_REPLACED = ("gen_ai.system", "gen_ai.operation.name", "gen_ai.tool.name", CALL_ID)
"""Attributes of events that current words, or what kind of span it is, take the place of."""


def otlp_line(config: JsonObject, case: Sequence[Step], *, version: str) -> bytes:
    """An export request with a span for the agent, and below it one for each answer of a model and
    each tool that ran, in the words of OpenTelemetry for generative AI. `version`: evaltui's."""
    first = case[0].row
    root = hex_id(16, first.run_id, first.case_id, "agent")
    happened = [*turns(case)]
    spans = [_agent_span(config, case, root)]
    if not any(isinstance(turn, ModelTurn) for turn in happened):
        # Nobody answered: what was asked is told by the agent's own span.
        asked = [message_of(step) for step in case if step.row.type != "tool_result"]
        spans[0]["attributes"] += _attributes({"gen_ai.input.messages": text_of(asked)})
    for turn in happened:
        if isinstance(turn, ModelTurn):
            spans.append(_chat_span(config, turn, root))
        else:
            spans.append(_tool_span(turn, root))
    scope = {"scope": {"name": SERVICE, "version": version}, "spans": spans}
    resource = _attributes({"service.name": SERVICE, "service.version": version})
    return line({"resourceSpans": [{"resource": {"attributes": resource}, "scopeSpans": [scope]}]})


def _agent_span(config: JsonObject, case: Sequence[Step], root: str) -> dict[str, Any]:
    row = case[0].row
    failed = [one.row.error for one in case if one.row.error and one.row.actor != "tool"]
    name = str(config.get("agent_version") or UNKNOWN)
    attributes: dict[str, Json] = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": case[0].system,
        "gen_ai.agent.name": name,
        "gen_ai.request.model": _model(config),
        "evaltui.case_id": row.case_id,
        "evaltui.run_id": row.run_id,
        "evaltui.dataset_id": row.dataset_id,
        "evaltui.time_estimated": True if any(one.is_estimated for one in case) else None,
    }
    begin, end = min(one.start for one in case), max(one.end for one in case)
    span = _span(case[0], root, f"invoke_agent {name}", begin, end, attributes, failed[-1:])
    return {**span, "parentSpanId": "", "kind": _INTERNAL}


def _chat_span(config: JsonObject, turn: ModelTurn, root: str) -> dict[str, Json]:
    first = turn.steps[0]
    own = _merged([one.row.attributes for one in turn.steps])
    model = own.get("gen_ai.request.model") or own.get("gen_ai.response.model") or _model(config)
    attributes: dict[str, Json] = {
        **own,
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": first.system,
        "gen_ai.request.model": model,
        "gen_ai.input.messages": text_of(turn.asked) if turn.asked else None,
        "gen_ai.output.messages": text_of([turn.answer]) if turn.answer["parts"] else None,
    }
    end = max(one.end for one in turn.steps)
    errors = [one.row.error for one in turn.steps if one.row.error]
    name = f"chat {model}" if model else "chat"
    span = _span(first, first.span_id, name, first.start, end, attributes, errors)
    return {**span, "parentSpanId": root, "kind": _CLIENT}


def _tool_span(run: ToolRun, root: str) -> dict[str, Json]:
    row = run.result.row
    own = _merged([row.attributes, run.call.row.attributes if run.call else {}])
    attributes: dict[str, Json] = {
        **{key: one for key, one in own.items() if not key.startswith("gen_ai.usage.")},
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.provider.name": run.result.system,
        "gen_ai.tool.name": row.tool,
        CALL_ID: run.call_id,
        "gen_ai.tool.call.arguments": text_of(run.call.row.input) if run.call else None,
        "gen_ai.tool.call.result": None if row.output is None else text_of(row.output),
    }
    name = f"execute_tool {row.tool}" if row.tool else "execute_tool"
    step = run.result
    errors = [row.error] if row.error else []
    span = _span(step, step.span_id, name, step.start, step.end, attributes, errors)
    return {**span, "parentSpanId": root, "kind": _INTERNAL}


def _span(
    step: Step,
    span_id: str,
    name: str,
    start: datetime,
    end: datetime,
    attributes: JsonObject,
    errors: Sequence[str | None],
) -> dict[str, Json]:
    status: dict[str, Json] = {}
    if errors:
        attributes = {**attributes, "error.type": attributes.get("error.type") or "_OTHER"}
        status = {"code": _ERROR, "message": errors[-1]}
    return {
        "traceId": step.trace_id,
        "spanId": span_id,
        "name": name,
        "startTimeUnixNano": str(nanoseconds(start)),
        "endTimeUnixNano": str(nanoseconds(end)),
        "attributes": _attributes(attributes),
        "status": status,
    }


def _model(config: JsonObject) -> str | None:
    found = config.get("model")
    return found if isinstance(found, str) and found not in ("", UNKNOWN) else None


def _merged(all_said: Sequence[JsonObject]) -> dict[str, Json]:
    """Attributes of several events; what was used is added up."""
    found: dict[str, Json] = {}
    for said in all_said:
        for key, value in said.items():
            before = found.get(key)
            is_sum = key.startswith(("gen_ai.usage.", "usage."))
            if is_sum and isinstance(before, int | float) and isinstance(value, int | float):
                found[key] = before + value
            elif key not in _REPLACED and before is None:
                found[key] = value
    return found


def _attributes(said: Mapping[str, Json]) -> list[Json]:
    return [
        {"key": key, "value": _any_value(value)} for key, value in said.items() if value is not None
    ]


def _any_value(value: Json, depth: int = 0) -> dict[str, Json]:
    match value:
        case bool():
            return {"boolValue": value}
        case int() if -(1 << 63) <= value < 1 << 63:
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case list() | dict() if depth > _DEEPEST:
            return {"stringValue": text_of(value)}
        case list() | tuple():
            return {"arrayValue": {"values": [_any_value(one, depth + 1) for one in value]}}
        case dict():
            pairs = [
                {"key": key, "value": _any_value(one, depth + 1)} for key, one in value.items()
            ]
            return {"kvlistValue": {"values": pairs}}
        case None:
            return {}
    return {"stringValue": text_of(value)}
