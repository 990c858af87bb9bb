"""What a model API's refusals mean: its own message, whether to ask again, what to do."""

import json
import re
from collections.abc import Mapping
from http import HTTPStatus

from evaltui.agents.http.status_faults import is_unpaid, retry_after
from evaltui.core.errors import AgentError
from evaltui.core.finite_json import decode_json
from evaltui.core.json_value import Json

_HINTS = {
    400: "Check the agent's options and the tools' schemas.",
    401: "Check `api_key`.",
    403: "Check `api_key`, and that it may use this model.",
    404: "Check `model` and `base_url`.",
    413: "The conversation or the tools are too long for this API.",
    422: "Check the agent's options and the tools' schemas.",
    429: "Lower `concurrency`, or set `max_requests_per_minute`.",
}
_THROTTLED = ("rate_limit", "too_many_requests")
_PASSING = ("overloaded", "api_error", "server_error", "timeout", "internal", "unavailable")
_FILTERED = ("content_filter", "content_policy")
_TOO_LONG = ("context_length", "maximum context length", "prompt is too long")
_NO_MONEY = ("insufficient_quota", "billing")


def status_fault(
    status: int, headers: Mapping[str, str], body: bytes, retries: int | None
) -> AgentError:
    """The error for a refused request; 429 and 5xx may be sent again unless the API says not."""
    message, kind = _said(body)
    try:
        phrase = f" {HTTPStatus(status).phrase}"
    except ValueError:
        phrase = " Overloaded" if status == 529 else ""
    if 300 <= status < 400:
        hint = "Redirects are not followed: set `base_url` to the final address."
    elif status >= 500:
        hint = "The API has a fault; try again later."
    else:
        hint = _HINTS.get(status, "Look up the status in the API's documentation.")
    is_throttled = status == 429
    is_retryable = is_throttled or status >= 500
    if any(word in kind for word in _NO_MONEY):
        is_throttled = is_retryable = False
        hint = "Add credit to the account."
    category = "auth" if status in {401, 403} else "agent_error"
    if any(word in kind for word in _FILTERED):
        hint, category = "The request was filtered: look at what the case asks.", "filtered"
    elif status == 400 and any(word in f"{kind} {message.lower()}" for word in _TOO_LONG):
        hint = _HINTS[413]
    if headers.get("x-should-retry", "") == "false":
        is_retryable = False
    return AgentError(
        f"HTTP {status}{phrase}{f': {message}' if message else ''} — {hint}",
        category=category,
        retryable=is_retryable,
        throttled=is_throttled,
        retry_after_s=_wait_s(headers),
        max_retries=retries,
        is_unpaid=is_unpaid(status),
    )


def event_fault(error: Json, retries: int | None) -> AgentError:
    """The error for one that arrives inside a stream, or in an answer with status 200."""
    message, kind = _message(error)
    is_throttled = any(word in kind for word in _THROTTLED)
    is_money = any(word in kind for word in _NO_MONEY)
    return AgentError(
        f"the API reports an error: {message or kind or 'no reason given'}",
        retryable=not is_money and (is_throttled or any(word in kind for word in _PASSING)),
        throttled=is_throttled and not is_money,
        max_retries=retries,
    )


def _wait_s(headers: Mapping[str, str]) -> float | None:
    milliseconds = headers.get("retry-after-ms", "").strip()
    try:
        wait_s = float(milliseconds) / 1000
    except ValueError:
        return retry_after(headers.get("retry-after", ""))
    return wait_s if 0 <= wait_s < float("inf") else None


def _said(body: bytes) -> tuple[str, str]:
    """Message and kind of an error body, whatever its shape."""
    text = body[:100_000].decode("utf-8", "replace")
    try:
        value: Json = decode_json(text)
    except (ValueError, RecursionError):
        return _line(text), ""
    if isinstance(value, Mapping) and value.get("error"):
        return _message(value["error"])
    if isinstance(value, list) and value and isinstance(value[0], Mapping):
        return _message(value[0].get("error") or value[0])  # Google's compatible endpoint
    return _message(value)


def _message(error: Json) -> tuple[str, str]:
    """What an error object says, and its type and code in one lower-case text."""
    if not isinstance(error, Mapping):
        return _line(error if isinstance(error, str) else json.dumps(error, default=str)), ""
    kind = " ".join(
        value for key in ("type", "code", "status") if isinstance(value := error.get(key), str)
    )
    for key in ("message", "detail", "msg", "error"):
        value = error.get(key)
        if value:
            return _line(value if isinstance(value, str) else json.dumps(value)), kind.lower()
    return _line(json.dumps(error, default=str)), kind.lower()


def _line(text: str) -> str:
    text = re.sub(r"\s+", " ", text).strip()
    return text if len(text) <= 400 else f"{text[:400]}…"
