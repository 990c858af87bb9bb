"""The HTTP session to a collector: follows no redirect, and reads little of the answer."""

import io
import time
from collections.abc import Callable
from typing import Any

import requests

LONGEST = 1 << 16
"""Bytes of an answer: a collector says which spans it refused, and that is short."""


def collector_session(limit_s: float, rejected: Callable[[int], None]) -> requests.Session:
    """One that raises requests.ConnectionError for an answer from elsewhere, a long and a late
    one: `limit_s` seconds after its head. `rejected` is told of spans that a collector did not
    take of a request that it took (OTLP, partial success)."""

    def read(answer: Any, **_: Any) -> None:
        if 300 <= answer.status_code < 400:
            answer.close()
            raise requests.ConnectionError("it sends elsewhere, where nothing is sent")
        until, body = time.monotonic() + limit_s, b""
        while piece := answer.raw.read1(4096):
            body += piece
            if len(body) > LONGEST or time.monotonic() > until:
                answer.close()
                raise requests.ConnectionError("its answer has no end")
        answer.raw = io.BytesIO(body)
        if answer.ok and (count := _rejected(body)):
            rejected(count)

    session = requests.Session()
    session.hooks["response"].append(read)
    return session


def _rejected(body: bytes) -> int:
    """How many spans an answer says that it did not take; 0 for one that cannot be read."""
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

    try:
        response = ExportTraceServiceResponse.FromString(body)
    except Exception:  # that of a package which only the SDK depends on
        return 0
    return int(response.partial_success.rejected_spans)
