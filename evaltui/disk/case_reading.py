"""Reading one case of a result file, ours or one with the contract's keys only."""

from typing import Any

from evaltui.core.case import CaseKey
from evaltui.core.inputs import Inputs
from evaltui.core.response import AgentResponse
from evaltui.core.result import CaseResult, CaseStatus, TrialResult
from evaltui.core.verdict import Verdict
from evaltui.disk.case_json import MILLIS, USAGE
from evaltui.disk.codec import decode

_FROM_MILLIS = {camel: snake for snake, camel in MILLIS.items()}
_FROM_USAGE = {camel: snake for snake, camel in USAGE.items()}
_FROM_RESPONSE = {
    "durationMs": "duration_ms",
    "firstTokenMs": "first_token_ms",
    "queuedMs": "queued_ms",
}
_FROM_MESSAGE = {"toolCalls": "tool_calls", "toolCallId": "tool_call_id"}


def read_case(
    entry: dict[str, Any], *, suite: str, run_id: str, agent: str, brief: bool = False
) -> CaseResult:
    """A case of a result file; what is missing or of a wrong type is left at its default.

    `brief` leaves out verdicts and response.
    """
    details = entry.get("details")
    details = details if isinstance(details, dict) else {}
    carried = entry.get("carriedFrom")
    carried = carried if isinstance(carried, str) else ""
    tokens = details.get("skippedTokens")
    status = _status(entry)
    return CaseResult(
        key=CaseKey(suite, str(entry.get("id", ""))),
        run_id=carried or run_id,
        agent=agent,
        status=status,
        description=_text(entry, "description"),
        duration_ms=_number(entry, "durationMs"),
        assertions_run=int(_number(entry, "assertionsRun")),
        assertions_skipped=int(_number(entry, "assertionsSkipped")),
        skipped_tokens=tuple(map(str, tokens)) if isinstance(tokens, list) else (),
        error=_text(entry, "error") or _text(entry, "reason"),
        category=_text(entry, "category"),
        verdicts=() if brief else _verdicts(entry.get("verdicts")),
        response=None if brief else _read_response(entry),
        inputs=_inputs(entry.get("inputs")),
        queued_ms=_number(entry, "queuedMs"),
        stale=entry.get("stale") is True,
        finished_at=_number(entry, "finishedAt"),
        carried_from=carried,
        trial=int(_number(entry, "trial")),
        trials=max(1, int(_number(entry, "trials", 1))),
        passes=int(_number(entry, "passes", status is CaseStatus.PASSED)),
        muted=_text(entry, "muted"),
        attempts=_attempts(entry.get("attempts")),
    )


def _read_response(entry: dict[str, Any]) -> AgentResponse | None:
    text, calls = entry.get("response"), entry.get("toolCalls")
    if not isinstance(text, str):
        return None
    more = entry.get("agentResponse")
    fields = _snake(more, _FROM_RESPONSE) if isinstance(more, dict) else {}
    if isinstance(fields.get("usage"), dict):
        fields["usage"] = _snake(fields["usage"], _FROM_USAGE)
    if isinstance(fields.get("messages"), list):
        fields["messages"] = [_read_message(item) for item in fields["messages"]]
    fields |= {"text": text, "tool_calls": _read_calls(calls)}
    try:
        return decode(AgentResponse, fields)
    except ValueError:
        return decode(AgentResponse, {"text": text})


def _read_message(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    message = _snake(value, _FROM_MESSAGE)
    if "tool_calls" in message:
        message["tool_calls"] = _read_calls(message["tool_calls"])
    return message


def _read_calls(value: Any) -> list[Any]:
    calls = value if isinstance(value, list) else []
    return [_snake(call, _FROM_MILLIS) for call in calls if isinstance(call, dict)]


def _verdicts(value: Any) -> tuple[Verdict, ...]:
    if not isinstance(value, list):
        return ()
    try:
        return tuple(decode(Verdict, _snake(item, _FROM_MILLIS)) for item in value)
    except (ValueError, AttributeError):
        return ()


def _status(entry: dict[str, Any]) -> CaseStatus:
    try:
        return CaseStatus(entry["status"])
    except (KeyError, ValueError):
        return CaseStatus.PASSED if entry.get("passed") is True else CaseStatus.FAILED


def _attempts(value: Any) -> tuple[TrialResult, ...]:
    if not isinstance(value, list):
        return ()
    try:
        return tuple(decode(TrialResult, _snake(item, _FROM_MILLIS)) for item in value)
    except (ValueError, AttributeError):
        return ()


def _inputs(value: Any) -> Inputs:
    try:
        return decode(Inputs, value) if isinstance(value, dict) else Inputs()
    except ValueError:
        return Inputs()


def _snake(value: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    return {names.get(key, key): item for key, item in value.items()}


def _text(value: dict[str, Any], key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) else ""


def _number(value: dict[str, Any], key: str, default: float = 0.0) -> float:
    found = value.get(key)
    if not isinstance(found, int | float) or isinstance(found, bool):
        return default
    try:
        return float(found)
    except OverflowError:
        return default
