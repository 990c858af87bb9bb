"""Sends a pack to an OpenTelemetry collector, through its SDK."""

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from evaltui.core.errors import UserError
from evaltui.core.json_value import Json
from evaltui.core.permit import sending
from evaltui.disk.atomic import safe_name
from evaltui.evidence.otel.event_lines import SERVICE
from evaltui.evidence.otel.pack_events import Step, nanoseconds, read_cases, read_config
from evaltui.evidence.otel.spans import CLIENT, Span, spans_of
from evaltui.evidence.otel.used_in_case import used_in_case
from evaltui.evidence.packs.pack_documents import read_object
from evaltui.files import is_file

TRACES = "/v1/traces"
LIMIT_S = 10.0
"""Of one request, with all that is tried again."""
BATCH = 256
"""Spans of a request, more only where one case has more."""
_TEXTS = (str, bool, int, float)


class Sender:
    """Sends to one endpoint; headers are those of `OTEL_EXPORTER_OTLP_HEADERS`.

    Raises UserError where the address is none, or the SDK is not installed.
    """

    def __init__(self, endpoint: str, version: str) -> None:
        address = urlsplit(endpoint)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise UserError("--otel takes an address.", "E.g. --otel http://localhost:4318.")
        self._shown = sending(endpoint, by="--otel").what
        if address.path in ("", "/"):
            endpoint = address._replace(path=TRACES).geturl()
        try:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.util.instrumentation import InstrumentationScope

            from evaltui.evidence.otel.collector_session import collector_session
        except ImportError:
            what = "--otel needs the SDK of OpenTelemetry, which is not installed."
            raise UserError(what, "Install it: pip install 'evaltui[otel]'.") from None
        # What it could not send is told by us; its own words quote addresses.
        logging.getLogger("opentelemetry").addHandler(logging.NullHandler())
        logging.getLogger("opentelemetry").propagate = False
        self._rejected: list[int] = []
        session = collector_session(LIMIT_S, self._rejected.append)
        self._exporter: Any = OTLPSpanExporter(endpoint=endpoint, timeout=LIMIT_S, session=session)
        self._scope: Any = InstrumentationScope(SERVICE, version)
        facts = {"service.name": SERVICE, "service.version": version}
        self._resource: Any = Resource.create(facts)

    def send(self, pack: Path) -> int:
        """All cases of a pack with their verdicts; returns the number of spans.

        Raises UserError where they did not all arrive, OSError and SuiteMistake.
        """
        config = read_config(pack)
        waiting: list[Any] = []
        sent = 0
        for case in read_cases(pack, config):
            agent, *inner = spans_of(config, case, used_in_case(pack, case))
            waiting.append(self._made(agent, _verdicts(pack, case)))
            waiting += [self._made(one, ()) for one in inner]
            if len(waiting) >= BATCH:
                sent += self._export(waiting)
                waiting = []
        return sent + (self._export(waiting) if waiting else 0)

    def close(self) -> None:
        self._exporter.shutdown()

    def _export(self, spans: list[Any]) -> int:
        from opentelemetry.sdk.trace.export import SpanExportResult

        try:
            is_sent = self._exporter.export(spans) is SpanExportResult.SUCCESS
        except Exception:
            is_sent = False
        if not is_sent:
            what = f"Traces could not be sent to {self._shown}."
            raise UserError(what, "Is a collector listening there? What was judged is kept.")
        if self._rejected:
            what = f"{self._shown} did not take {self._rejected.pop()} of {len(spans)} spans."
            raise UserError(what, "The collector's log says why. What was judged is kept.")
        return len(spans)

    def _made(self, span: Span, verdicts: Sequence[Mapping[str, Json]]) -> Any:
        from opentelemetry.sdk.trace import Event, ReadableSpan
        from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode, TraceFlags

        def context(span_id: str) -> Any:
            sampled = TraceFlags(TraceFlags.SAMPLED)
            return SpanContext(int(span.trace_id, 16), int(span_id, 16), False, sampled)

        start, end = nanoseconds(span.start), nanoseconds(span.end)
        events = [Event("gen_ai.evaluation.result", _plain(one), end) for one in verdicts]
        is_failed = span.error is not None
        return ReadableSpan(
            span.name,
            context(span.span_id),
            context(span.parent) if span.parent else None,
            self._resource,
            _plain(span.attributes),
            events,
            kind=SpanKind.CLIENT if span.kind == CLIENT else SpanKind.INTERNAL,
            instrumentation_scope=self._scope,
            status=Status(StatusCode.ERROR, span.error) if is_failed else Status(StatusCode.UNSET),
            start_time=start,
            end_time=end,
        )


def _verdicts(pack: Path, case: Sequence[Step]) -> list[dict[str, Json]]:
    """Those of a case that judged something, in the words of OpenTelemetry."""
    path = pack / "cases" / safe_name(case[0].row.case_id) / "verdicts.json"
    rows = read_object(path).get("judge_results") if is_file(path) else None
    return [
        {
            "gen_ai.evaluation.name": row.get("judge_id"),
            "gen_ai.evaluation.score.value": row.get("score"),
            "gen_ai.evaluation.score.label": "pass" if row.get("passed") else "fail",
            "gen_ai.evaluation.explanation": row.get("reason"),
        }
        for row in (rows if isinstance(rows, list) else ())
        if isinstance(row, dict) and not row.get("skipped")
    ]


def _plain(said: Mapping[str, Json]) -> dict[str, Any]:
    """What the SDK takes: texts, numbers, lists of texts; anything else as JSON."""
    return dict(_pairs(said))


def _pairs(said: Mapping[str, Json]) -> Iterator[tuple[str, Any]]:
    for key, value in said.items():
        if isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
            yield key, list(value)
        elif isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
            yield key, str(value)
        elif isinstance(value, _TEXTS):
            yield key, value
        elif value is not None:
            yield key, json.dumps(value, ensure_ascii=False)
