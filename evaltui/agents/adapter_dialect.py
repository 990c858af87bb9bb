"""The repair loop's adapter contract: an attempt goes in, output and proposed calls come out."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from evaltui.agents.reported_usage import reported_usage
from evaltui.core.agent import AgentRequest, PreviousAttempt
from evaltui.core.errors import AgentError
from evaltui.core.expected import NOTHING_EXPECTED, Expected
from evaltui.core.finite_json import decode_external
from evaltui.core.json_value import Json
from evaltui.core.response import AgentResponse, Execution, ToolCall, Usage
from evaltui.core.tool import ToolRegistry


def adapter_request(
    request: AgentRequest, *, tells_expectations: bool, is_repair: bool
) -> dict[str, Json]:
    """The attempt as the adapter contract words it.

    `tells_expectations`: the policy, argument rules and output of the case's assertions are sent
    too, as the contract has it; `is_repair`: another program than the first one is asked.
    """
    expected = request.expected if tells_expectations else NOTHING_EXPECTED
    metadata: dict[str, Json] = {}
    if request.stubs is not None:
        metadata["tool_responses"] = dict(request.stubs)
    if request.history:
        metadata["history"] = [
            {"role": one.role, "content": one.content} for one in request.history
        ]
    return {
        "mode": "repair" if is_repair else "propose",
        "case_id": request.key.case,
        "input": request.message,
        "expected_output": expected.output,
        "attempt": len(request.previous),
        "previous_attempts": [
            _previous(attempt, number) for number, attempt in enumerate(request.previous)
        ],
        "tool_contracts": _tool_contracts(request.registry, expected),
        "policy": _policy(request.registry, expected),
        "metadata": metadata,
    }


def _policy(registry: ToolRegistry, expected: Expected) -> dict[str, Json]:
    """Tools that must be called, and those that must not."""
    every = registry.tools if expected.forbids_all_tools else ()
    forbidden = dict.fromkeys((*expected.forbidden_tools, *every))
    return {"forbidden_tools": list(forbidden), "required_tools": list(expected.required_tools)}


def _tool_contracts(registry: ToolRegistry, expected: Expected) -> dict[str, Json]:
    """By tool, the arguments that its schema or the case demands, and those the case refuses."""
    required: dict[str, dict[str, None]] = {}
    for tool in registry:
        listed = (tool.parameters or {}).get("required")
        names = listed if isinstance(listed, list | tuple) else ()
        required[tool.name] = {name: None for name in names if isinstance(name, str)}
    for name, params in expected.required_params.items():
        required.setdefault(name, {}).update(dict.fromkeys(params))
    return {
        name: {
            "required_args": list(required.get(name, ())),
            "forbidden_args": list(expected.forbidden_params.get(name, ())),
        }
        for name in dict.fromkeys((*required, *expected.forbidden_params))
    }


def _previous(attempt: PreviousAttempt, number: int) -> dict[str, Json]:
    response = attempt.response
    calls = response.tool_calls if response is not None else ()
    return {
        "attempt": number,
        "passed": False,
        "hard_failed": response is None or any(v.gates and v.hard for v in attempt.verdicts),
        "response": {
            "assistant_output": response.text if response is not None else None,
            "tool_calls": [{"tool": call.name, "arguments": call.params} for call in calls],
            "error": None if response is not None else attempt.error,
            "metadata": {},
            "side_effects": [
                {
                    "tool": call.name,
                    "arguments": call.params,
                    "response": call.result,
                    "source": "unknown_tool" if call.error else "tool_responses",
                }
                for call in calls
                if call.success is not None
            ],
        },
        "judge_results": [
            {
                "judge_id": verdict.label or verdict.check,
                "passed": not verdict.gates,
                "reason": verdict.reason,
                "score": verdict.value,
                "hard": verdict.hard,
            }
            for verdict in attempt.verdicts
        ],
        "replay_issues": [],
    }


def read_stdout(stdout: bytes) -> Json:
    """What an adapter wrote: nothing is an empty text, and so is text that is no JSON a text.

    What begins as an object must be one, with each key once: of half a reply, or of two, nobody
    knows what the program meant. Raises AgentError.
    """
    try:
        text = stdout.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise AgentError("its output is not UTF-8.", category="contract_violation") from None
    if not text.strip():
        return ""
    try:
        value: Json = decode_external(text)
    except (ValueError, RecursionError) as error:
        if not text.lstrip().startswith("{"):
            return text
        what = f"its output begins as a JSON object and is none: {error}"
        raise AgentError(what, category="contract_violation") from None
    if isinstance(value, Mapping):
        _refuse_repeated_keys(text)
    return value


def _refuse_repeated_keys(text: str) -> None:
    def once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            counts = Counter(name for name, _ in pairs)
            name = counts.most_common(1)[0][0]
            what = f"the key `{name[:100]}` stands twice in its output."
            raise AgentError(what, category="contract_violation")
        return found

    json.loads(text, object_pairs_hook=once)


def adapter_answer(stdout: bytes, request: AgentRequest, duration_ms: float) -> AgentResponse:
    """As `read_stdout`. Raises AgentError."""
    value = read_stdout(stdout)
    if not isinstance(value, Mapping):
        return _response(value, (), request, duration_ms, None)
    if value.get("error"):
        raise AgentError(f"the program reports an error: {str(value['error'])[:500]}")
    output = value.get("assistant_output", value.get("output"))
    found = value.get("tool_calls", [])
    if not isinstance(found, list):
        raise AgentError("`tool_calls` must be a list.", category="type_error")
    calls = tuple(_call(call, f"tool_calls[{at}]", request) for at, call in enumerate(found))
    return _response(output, calls, request, duration_ms, reported_usage(value))


def _response(
    output: Json,
    calls: tuple[ToolCall, ...],
    request: AgentRequest,
    duration_ms: float,
    usage: Usage | None,
) -> AgentResponse:
    text = output if isinstance(output, str) else "" if output is None else json.dumps(output)
    execution = Execution.ROUTING if request.stubs is None else Execution.STUBS
    return AgentResponse(text, calls, duration_ms, execution, usage=usage)


def _call(call: Json, where: str, request: AgentRequest) -> ToolCall:
    name = call.get("tool", call.get("name")) if isinstance(call, Mapping) else None
    if not isinstance(call, Mapping) or not isinstance(name, str):
        raise AgentError(f"`{where}` has no `tool`.", category="contract_violation")
    params = call.get("arguments", call.get("input"))
    if params is not None and not isinstance(params, Mapping):
        raise AgentError(f"`{where}.arguments` must be an object.", category="type_error")
    if request.stubs is None:
        return ToolCall(name, params)
    if name in request.stubs:
        return ToolCall(name, params, True, 0.0, request.stubs[name])
    error = f'no stub for "{name}"'
    return ToolCall(name, params, False, 0.0, {"error": "unknown_tool"}, error)
