"""Recognizes the results of agent frameworks by their shape, without importing any.

Loaded by its path inside of the child with any Python from 3.9 on.
"""

from __future__ import annotations

import json
from typing import Any

_OUTPUT_TOOL = "final_result"
"""How pydantic-ai calls the tools of its own by which a model gives structured output, where nobody
named them; of several kinds of output each has `_` and its name behind it."""
_RUN_BY_PROVIDER = "builtin-tool-call"
_RETURNS = ("tool-return", "builtin-tool-return")
_STRUCTURED = "structuredOutput"
_AGENTS_SDK_FAILED = "An error occurred while running the tool"


def recognised(value: Any) -> Any:
    """The result of a framework as the contract's answer; anything else as it is."""
    if hasattr(value, "final_output") and isinstance(getattr(value, "new_items", None), list):
        return _of_agents_sdk(value)
    messages = getattr(value, "new_messages", None)
    if callable(messages) and (hasattr(value, "output") or hasattr(value, "data")):
        return _of_pydantic_ai(value, list(messages()))
    return value


def _of_pydantic_ai(result: Any, messages: list[Any]) -> dict[str, Any]:
    calls: list[dict[str, Any]] = []
    is_open: dict[str, dict[str, Any]] = {}
    """By id those without a result: a model may number its calls anew in each turn."""
    for message in messages:
        for part in getattr(message, "parts", ()):
            kind = getattr(part, "part_kind", "")
            name = str(getattr(part, "tool_name", None) or "")
            id_ = str(getattr(part, "tool_call_id", None) or "")
            if kind == _RUN_BY_PROVIDER or (kind == "tool-call" and not _is_output(name, result)):
                calls.append(_call(name, getattr(part, "args", None)))
                is_open[id_] = calls[-1]
            elif kind in _RETURNS and id_ in is_open:
                outcome = getattr(part, "outcome", None)  # "success", "retried", "failed", "denied"
                is_done = outcome in (None, "success")
                is_open.pop(id_).update(success=is_done, result=getattr(part, "content", None))
            elif kind == "retry-prompt" and id_ in is_open:
                is_open.pop(id_).update(success=False, result=getattr(part, "content", None))
    output = result.output if hasattr(result, "output") else result.data
    reasons = [_get(one, "finish_reason") for one in messages if _get(one, "kind") == "response"]
    reason = reasons[-1] if reasons else None
    return _answer(output, calls, getattr(result, "usage", None), reason)


def _is_output(name: str, result: Any) -> bool:
    """Whether it is no tool of the agent's own. Only the result knows how that was named by which
    the model gave its output; older versions do not tell."""
    if name and name == getattr(result, "_output_tool_name", None):
        return True
    return name == _OUTPUT_TOOL or name.startswith(f"{_OUTPUT_TOOL}_")


def _of_agents_sdk(result: Any) -> dict[str, Any]:
    calls: dict[str, dict[str, Any]] = {}
    reason = None
    for item in result.new_items:
        kind, raw = getattr(item, "type", ""), getattr(item, "raw_item", None)
        id_ = str(_get(raw, "call_id") or "")
        if kind == "tool_call_item" and (call := _sdk_call(raw, is_answered_later=bool(id_))):
            calls[id_ or str(len(calls))] = call
        elif kind == "tool_call_output_item" and id_ in calls:
            output = getattr(item, "output", _get(raw, "output"))
            failed = isinstance(output, str) and output.startswith(_AGENTS_SDK_FAILED)
            calls[id_].update(success=not failed, result=output)
        elif kind == "message_output_item":
            reason = _get(raw, "status")
    usage = getattr(getattr(result, "context_wrapper", None), "usage", None)
    return _answer(result.final_output, list(calls.values()), usage, reason)


_MADE_WITH = ("arguments", "action", "queries", "code", "input", "operation")
_CALL = "_call"
"""How the types of OpenAI's own tools end, e.g. `web_search_call`."""


def _sdk_call(raw: Any, *, is_answered_later: bool) -> dict[str, Any]:
    """A call with, where OpenAI ran its tool, how that ended; nothing for what names no tool."""
    kind = str(_get(raw, "type") or "")
    own = kind[: -len(_CALL)] if kind.endswith(_CALL) and kind != "function_call" else ""
    name = str(_get(raw, "name") or own)
    if not name:
        return {}
    key = next((key for key in _MADE_WITH if _get(raw, key) is not None), "")
    made = _get(raw, key) if key else None
    dump = getattr(made, "model_dump", None)
    made = dump() if callable(dump) else made
    is_whole = key == "arguments" or isinstance(made, dict) or made is None
    call = _call(name, made if is_whole else {key: made})
    if is_answered_later or call.get("success") is False:
        return call
    error, status = _get(raw, "error"), _get(raw, "status")
    if error or status in ("failed", "incomplete"):
        return {**call, "success": False, "result": error}
    if status == "completed" or _get(raw, "output") is not None:
        return {**call, "success": True, "result": _get(raw, "output")}
    return call


def _call(name: str, arguments: Any) -> dict[str, Any]:
    """Without parameters where they are not JSON: what the model sent is not known then."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}")
        except (ValueError, RecursionError):
            return {"name": name, "success": False}
    return {"name": name, "params": arguments if isinstance(arguments, dict) else {}}


def _answer(
    output: Any, calls: list[dict[str, Any]], usage: Any, reason: Any = None
) -> dict[str, Any]:
    """`output` may be text, nothing, or structured, which is called so: it becomes JSON later.
    `reason`: why the model stopped, in its words."""
    # In pydantic-ai 2 it is a value, which may be called as it was and warns then.
    is_method = callable(usage) and not hasattr(usage, "input_tokens")
    usage = usage() if is_method else usage
    output = "" if output is None else output
    key = "response" if isinstance(output, str) else _STRUCTURED
    answer: dict[str, Any] = {key: output, "toolCalls": calls}
    if isinstance(reason, str):
        answer["finish_reason"] = reason
    tokens = {
        key: found
        for key in ("input_tokens", "output_tokens")
        if isinstance(found := _get(usage, key), int)
    }
    return {**answer, "usage": tokens} if tokens else answer


def _get(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else getattr(value, key, None)
