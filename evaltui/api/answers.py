"""Bodies in, answers out: JSON both ways, whatever goes wrong."""

import sys
import traceback
from itertools import islice
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from evaltui.api.faults import Fault, NotJson, TooLarge, fault_json, status_of
from evaltui.core.errors import Problem, UserError
from evaltui.core.json_value import Json
from evaltui.core.key_path import format_key
from evaltui.disk.codec import encode
from evaltui.disk.history.history_file import HistoryError
from evaltui.formats.complaint import MAX_PROBLEMS
from evaltui.json_text.entries import find_entries
from evaltui.json_text.strict_json import strict_json
from evaltui.json_text.tree import JsonTree

BODY_LIMIT = 1 << 20
"""Bytes; a scenario of ten thousand words has a tenth of it."""


def answer(value: object, status: int = 200, **headers: str) -> Response:
    return Response(encode(value), status, headers, media_type="application/json")


async def read_object(request: Request, *, is_optional: bool = False) -> dict[str, Any]:
    """The JSON object that was sent; `is_optional`: nothing is an empty one. Raises Fault."""
    data = await _read(request)
    if not data.strip():
        if is_optional:
            return {}
        raise Fault("The body is empty.", "Send one JSON object.")
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        # Of pages elsewhere a browser sends other types without asking us first.
        raise NotJson("The body is not sent as JSON.", "Send `Content-Type: application/json`.")
    try:
        value = strict_json(data)
    except (ValueError, RecursionError) as error:
        raise Fault(f"The body is not valid JSON: {error}.", "Send one JSON object.") from None
    if not isinstance(value, dict):
        raise Fault("The body is not a JSON object.", "Send `{…}`.")
    if find_entries(data.decode(), ()).has_duplicate_keys:
        raise _repeated(data)
    return value


def _repeated(data: bytes) -> Fault:
    """Which of two values is meant nobody knows: programs differ in which one counts."""
    hint = "Remove one of them."
    problems = [
        Problem("", f"The key `{path[-1]}` stands twice", hint, line, column, format_key(path))
        for path, line, column in islice(JsonTree(data).duplicate_keys(), MAX_PROBLEMS)
    ]
    first = problems[0]
    what = f"{first.what} in the body: line {first.line}, column {first.column}."
    return Fault(what, hint, problems)


async def _read(request: Request) -> bytes:
    length = request.headers.get("content-length", "0")
    if length.isdecimal() and int(length) > BODY_LIMIT:
        raise _too_large()
    data = b""
    try:
        async for chunk in request.stream():
            data += chunk
            if len(data) > BODY_LIMIT:
                raise _too_large()
    except ClientDisconnect:
        raise Fault("The body broke off before its end.", "Send it again, whole.") from None
    return data


def _too_large() -> TooLarge:
    return TooLarge(f"The body has more than {BODY_LIMIT:,} bytes.", "Send less at once.")


async def tell_user_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, UserError)
    return fault_answer(error)


async def tell_history_error(_: Request, error: Exception) -> Response:
    return _error_answer(503, "history", f"The history cannot be read: {error}.", "Try again.")


async def tell_http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    hint = "`GET /api/openapi.json` lists all requests."
    code = {404: "not-found", 405: "wrong-method"}.get(error.status_code, "http")
    headers = dict(error.headers or {})
    return _error_answer(error.status_code, code, f"{error.detail}.", hint, **headers)


async def tell_bug(_: Request, error: Exception) -> Response:
    """What is told says nothing of the values at hand; those are for who started the server."""
    traceback.print_exception(error, file=sys.stderr)
    what = f"This is a bug in evaltui ({type(error).__name__})."
    return _error_answer(500, "internal", what, "Please report it with what the server printed.")


def fault_answer(error: UserError) -> Response:
    headers = {"WWW-Authenticate": "Bearer"} if status_of(error) == 401 else {}
    return answer(fault_json(error), status_of(error), **headers)


def _error_answer(status: int, code: str, message: str, hint: str, **headers: str) -> Response:
    body: dict[str, Json] = {"code": code, "message": message, "hint": hint}
    return answer({"error": body}, status, **headers)


HANDLERS: dict[Any, Any] = {
    UserError: tell_user_error,
    HistoryError: tell_history_error,
    HTTPException: tell_http_error,
    Exception: tell_bug,
}
"""By the class of what was raised."""
