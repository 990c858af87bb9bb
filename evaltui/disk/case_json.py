"""One case of a result file: the contract's EvalCaseResult with additive keys."""

from typing import Any

from evaltui.core.inputs import Inputs
from evaltui.core.javascript import utf16_length
from evaltui.core.response import AgentResponse, Execution, Message, ToolCall
from evaltui.core.result import CaseResult, CaseStatus
from evaltui.core.verdict import Kind, Verdict

MILLIS = {"duration_ms": "durationMs"}
USAGE = {
    "input_tokens": "inputTokens",
    "output_tokens": "outputTokens",
    "cost_usd": "costUsd",
}


def case_to_json(case: CaseResult, *, brief: bool = False) -> dict[str, object]:
    """All but the verdicts: contract keys first, additive ones only where they say something."""
    response = case.response
    entry: dict[str, object] = {
        "id": case.key.case,
        "description": case.description,
        "passed": case.status is CaseStatus.PASSED,
        "durationMs": millis(case.duration_ms),
        "assertionsRun": case.assertions_run,
        "assertionsSkipped": case.assertions_skipped,
    }
    if case.status in _WITH_ERROR:
        entry["error"] = case.error or case.status.value
    entry["details"] = {
        "toolsCalled": [call.name for call in response.tool_calls] if response else [],
        "responseLength": utf16_length(response.text) if response else 0,
        "skippedTokens": case.skipped_tokens,
        "stale": case.stale,
    }
    entry["status"] = case.status.value  # the encoder takes ten times as long for an enum
    if case.status is CaseStatus.SKIPPED and case.error:
        entry["reason"] = case.error
    entry["stale"] = case.stale
    entry["queuedMs"] = millis(case.queued_ms)
    entry["finishedAt"] = round(case.finished_at, 3)
    if case.carried_from:
        entry["carriedFrom"] = case.carried_from
    if case.trials > 1:
        entry |= {"trial": case.trial, "trials": case.trials, "passes": case.passes}
    elif case.passes != (case.status is CaseStatus.PASSED):
        entry["passes"] = case.passes
    if case.attempts:
        entry["attempts"] = [_renamed(attempt, MILLIS) for attempt in case.attempts]
    if case.muted:
        entry["muted"] = case.muted
    if case.category:
        entry["category"] = case.category
    entry["inputs"] = _inputs_json(case.inputs)
    if response is not None:
        entry["response"] = response.text
        entry["toolCalls"] = [_call(call) for call in response.tool_calls]
        if not brief:
            entry["agentResponse"] = _response(response)
    return entry


_WITH_ERROR = frozenset({CaseStatus.FAILED, CaseStatus.ERROR})


def millis(value: float) -> float:
    """Microseconds are enough; whole milliseconds are written as whole numbers."""
    return int(value) if float(value).is_integer() else round(value, 3)


def _renamed(value: Any, names: dict[str, str]) -> dict[str, object]:
    return {names.get(name, name): getattr(value, name) for name in value.__struct_fields__}


def _inputs_json(inputs: Inputs) -> dict[str, object]:
    entry: dict[str, object] = {"case": inputs.case, "tools": inputs.tools, "agent": inputs.agent}
    if inputs.registry:
        entry["registry"] = inputs.registry
    if inputs.seed:
        entry["seed"] = inputs.seed
    if inputs.checks:
        entry["checks"] = inputs.checks
    return entry


def verdict_to_json(verdict: Verdict) -> dict[str, object]:
    """Additive keys only where they say something."""
    entry: dict[str, object] = {
        "check": verdict.check,
        "status": verdict.status.value,
        "reason": verdict.reason,
    }
    if verdict.label:
        entry["label"] = verdict.label
    if verdict.kind is not Kind.ASSERTION:
        entry["kind"] = verdict.kind.value
    if verdict.value is not None:
        entry["value"] = verdict.value
    if verdict.evidence:
        entry["evidence"] = verdict.evidence
    if verdict.duration_ms:
        entry["durationMs"] = verdict.duration_ms
    if not verdict.hard:
        entry["hard"] = False
    if verdict.category:
        entry["category"] = verdict.category
    return entry


def _call(call: ToolCall) -> dict[str, object]:
    entry: dict[str, object] = {
        "name": call.name,
        "success": call.success,
        "durationMs": call.duration_ms,
        "params": call.params,
        "result": call.result,
    }
    if call.error:
        entry["error"] = call.error
    if call.id:
        entry["id"] = call.id
    return entry


def _message(message: Message) -> dict[str, object]:
    entry: dict[str, object] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        entry["toolCalls"] = [_call(call) for call in message.tool_calls]
    if message.tool_call_id:
        entry["toolCallId"] = message.tool_call_id
    if message.name:
        entry["name"] = message.name
    return entry


def _response(response: AgentResponse) -> dict[str, object]:
    """All but the text and the calls, which stand on the case itself."""
    entry: dict[str, object] = {"durationMs": response.duration_ms}
    if response.execution is not Execution.REAL:
        entry["execution"] = response.execution.value
    if response.messages:
        entry["messages"] = [_message(message) for message in response.messages]
    if response.usage is not None:
        entry["usage"] = _renamed(response.usage, USAGE)
    if response.turns != 1:
        entry["turns"] = response.turns
    if response.first_token_ms is not None:
        entry["firstTokenMs"] = response.first_token_ms
    if response.queued_ms:
        entry["queuedMs"] = response.queued_ms
    if response.retries:
        entry["retries"] = response.retries
    if response.source != "live":
        entry["source"] = response.source
    if response.notes:
        entry["notes"] = response.notes
    if response.explanation:
        entry["explanation"] = response.explanation
    return entry
