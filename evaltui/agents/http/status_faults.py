"""What an HTTP status means that brings no whole answer, in words that end with what to do."""

import re
from collections.abc import Mapping
from time import time

from evaltui.core.errors import AgentError

PARTIAL = 206
_HINTS = {
    PARTIAL: "Answer with the whole: nobody asked for a part of it.",
    400: "Check the request that the agent expects; map it under `request`.",
    401: "Check the credentials in `headers`.",
    403: "Check the credentials in `headers`.",
    404: "Check the path of the URL.",
    405: "Check `method`.",
    413: "The message is longer than the agent allows.",
    415: "Check the `Content-Type` that the agent expects.",
    422: "Check the request that the agent expects; map it under `request`.",
    429: "Lower the concurrency, or set `retries`.",
}


def status_fault(
    status: int,
    headers: Mapping[str, str],
    body: bytes,
    retries: int,
    *,
    has_phrase: bool = True,
) -> AgentError:
    """The error for one refused request; 429 and 5xx may be retried when the agent allows it.

    `has_phrase`: whether the status is told in words too, which EvalStudio does not.
    """
    from http import HTTPStatus  # faults are rare, and it is slow to load

    try:
        phrase = f" {HTTPStatus(status).phrase}" if has_phrase else ""
    except ValueError:
        phrase = ""
    text = re.sub(r"\s+", " ", body[:1000].decode("utf-8", "replace")).strip()
    said = f": {text[:200]}" if text else ""
    if 300 <= status < 400:
        place = headers.get("location", "")
        said = f" to {place}" if place else ""
        hint = "Redirects are not followed: set `url` to the final address."
    elif status >= 500:
        hint = "Look into the agent's own log."
    else:
        hint = _HINTS.get(status, "Look into the agent's own log.")
    return AgentError(
        f"HTTP {status}{phrase}{said} — {hint}",
        retryable=retries > 0 and (status == 429 or status >= 500),
        throttled=status == 429,
        retry_after_s=retry_after(headers.get("retry-after", "")),
        max_retries=retries,
        is_unpaid=is_unpaid(status),
    )


def has_answer(status: int) -> bool:
    """Whether what comes with it is a whole answer."""
    return 200 <= status < 300 and status != PARTIAL


def is_unpaid(status: int) -> bool:
    """Whether nothing was done for the request. One that a fault broke off may have cost."""
    return 300 <= status < 500 or status in {503, 529}


def retry_after(value: str) -> float | None:
    """Seconds to wait by a `Retry-After` header, a number or a date; `None` when unreadable."""
    text = value.strip()
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        from email.utils import parsedate_to_datetime

        try:
            seconds = parsedate_to_datetime(text).timestamp() - time()
        except (ValueError, TypeError, IndexError):
            return None
    return max(0.0, seconds) if seconds < float("inf") else None
