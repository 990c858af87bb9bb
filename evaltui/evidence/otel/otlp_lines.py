"""A pack as OTLP: one request per line, each with the trace of one case."""

from collections.abc import Mapping, Sequence

from evaltui.core.json_value import Json, JsonObject
from evaltui.evidence.otel.event_lines import SERVICE
from evaltui.evidence.otel.pack_events import Step, nanoseconds
from evaltui.evidence.otel.spans import Span, spans_of
from evaltui.evidence.otel.turns import text_of
from evaltui.traces.wire import line

_ERROR = 2
_DEEPEST = 20
"""Levels of an attribute; what lies deeper is JSON in a text."""


def otlp_line(config: JsonObject, case: Sequence[Step], used: JsonObject, *, version: str) -> bytes:
    """An export request with the spans of a case, made by `spans_of`. `version`: evaltui's."""
    spans = [_wire(one) for one in spans_of(config, case, used)]
    scope = {"scope": {"name": SERVICE, "version": version}, "spans": spans}
    resource = _attributes({"service.name": SERVICE, "service.version": version})
    return line({"resourceSpans": [{"resource": {"attributes": resource}, "scopeSpans": [scope]}]})


def _wire(span: Span) -> dict[str, Json]:
    status: dict[str, Json] = {}
    if span.error is not None:
        status = {"code": _ERROR, "message": span.error}
    return {
        "traceId": span.trace_id,
        "spanId": span.span_id,
        "parentSpanId": span.parent,
        "kind": span.kind,
        "name": span.name,
        "startTimeUnixNano": str(nanoseconds(span.start)),
        "endTimeUnixNano": str(nanoseconds(span.end)),
        "attributes": _attributes(span.attributes),
        "status": status,
    }


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
