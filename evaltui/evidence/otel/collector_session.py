"""The way to a collector: it follows nothing, and reads little of what is answered."""

import io
import time
from typing import Any

import requests

LONGEST = 1 << 16
"""Bytes of an answer: a collector says which spans it refused, and that is short."""


def collector_session(limit_s: float) -> requests.Session:
    """One that raises requests.ConnectionError for an answer from elsewhere, a long and a late
    one: `limit_s` seconds after its head."""

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

    session = requests.Session()
    session.hooks["response"].append(read)
    return session
