"""The repair loop's adapter contract: an attempt goes in, output and proposed calls come out."""

import json
from collections.abc import Mapping

from evaltui.core.agent import AgentRequest
from evaltui.core.errors import AgentError
from evaltui.core.json_value import Json
from evaltui.core.response import AgentResponse, Execution, ToolCall


def adapter_request(request: AgentRequest) -> dict[str, Json]:
    """The attempt as the adapter contract words it; the answer that is expected is never sent."""
    contracts: dict[str, Json] = {}
    for tool in request.registry:
        required = (tool.parameters or {}).get("required")
        names = list(required) if isinstance(required, list | tuple) else []
        contracts[tool.name] = {"required_args": names, "forbidden_args": []}
    metadata: dict[str, Json] = {}
    if request.stubs is not None:
        metadata["tool_responses"] = dict(request.stubs)
    return {
        "mode": "propose",
        "case_id": request.key.case,
        "input": request.message,
        "expected_output": None,
        "attempt": 0,
        "previous_attempts": [],
        "tool_contracts": contracts,
        "policy": {"forbidden_tools": [], "required_tools": []},
        "metadata": metadata,
    }


def adapter_answer(stdout: str, request: AgentRequest, duration_ms: float) -> AgentResponse:
    """Nothing is an empty output, text that is not JSON is the output. Raises AgentError."""
    value: Json
    try:
        value = json.loads(stdout) if stdout.strip() else ""
    except (ValueError, RecursionError):
        value = stdout
    if not isinstance(value, Mapping):
        return _response(value, (), request, duration_ms)
    if value.get("error"):
        raise AgentError(f"the program reports an error: {str(value['error'])[:500]}")
    output = value.get("assistant_output", value.get("output"))
    found = value.get("tool_calls", [])
    if not isinstance(found, list):
        raise AgentError("`tool_calls` must be a list.", category="type_error")
    calls = tuple(_call(call, f"tool_calls[{at}]", request) for at, call in enumerate(found))
    return _response(output, calls, request, duration_ms)


def _response(
    output: Json, calls: tuple[ToolCall, ...], request: AgentRequest, duration_ms: float
) -> AgentResponse:
    text = output if isinstance(output, str) else "" if output is None else json.dumps(output)
    execution = Execution.ROUTING if request.stubs is None else Execution.STUBS
    return AgentResponse(text, calls, duration_ms, execution)


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
