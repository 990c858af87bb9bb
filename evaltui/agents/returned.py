"""What a Python function returned, in the contract's shape whatever it called its fields."""

import json
from collections.abc import Mapping
from contextlib import suppress

from evaltui.agents.langgraph_messages import read_thread
from evaltui.agents.models.endings import bad_ending
from evaltui.agents.reported_usage import reported_usage
from evaltui.core.errors import AgentError
from evaltui.core.finite_json import decode_json
from evaltui.core.json_value import Json

STRUCTURED = "structuredOutput"
"""What the child calls a framework's output that is no text on purpose."""
_OTHER_NAMES = {"response": ("text", "output", "answer"), "toolCalls": ("tool_calls", "calls")}
_CALL_NAMES = {
    "name": ("tool",),
    "params": ("arguments", "args", "input"),
    "durationMs": ("duration_ms",),
}
_AI = ("ai", "AIMessageChunk")


def as_answer(value: Json) -> Json:
    """A text as it is; of an object the fields that have another usual name get the contract's.

    Messages of LangChain and LangGraph are read as those of a graph. A missing field stays
    missing: an agent that reports no calls is not one that made none. Raises AgentError for
    messages that hold no answer, and where a `finish_reason` says that it was cut off or refused.
    """
    messages = _messages(value)
    if messages is not None:
        answer = _of_messages(messages)
        if usage := reported_usage(value):
            answer["costUsd"] = usage.cost_usd
        return answer
    if not isinstance(value, Mapping):
        return value
    if isinstance(steps := value.get("intermediate_steps"), list) and "output" in value:
        key = "response" if isinstance(value["output"], str) else STRUCTURED
        value = {key: value["output"], "toolCalls": [_step(step) for step in steps]}
    answer = _renamed(value, _OTHER_NAMES)
    reason = answer.pop("finish_reason", None)
    if isinstance(reason, str) and (ending := bad_ending(reason)) is not None:
        raise ending
    if STRUCTURED in answer:
        output = answer.pop(STRUCTURED)
        answer["response"] = json.dumps(output, ensure_ascii=False, default=dict)
    calls = answer.get("toolCalls")
    if isinstance(calls, list):
        answer["toolCalls"] = [_call(call) if isinstance(call, Mapping) else call for call in calls]
    return answer


def _messages(value: Json) -> list[Json] | None:
    """The messages of a graph's state, a lone message of a model, or a list of them."""
    if isinstance(value, Mapping):
        if value.get("type") in _AI and "content" in value:
            return [value]
        found = value.get("messages")
        has_own = any(key in value for key in ("response", "toolCalls", "tool_calls"))
        return found if isinstance(found, list) and found and not has_own else None
    is_thread = isinstance(value, list) and any(
        isinstance(each, Mapping) and each.get("type") in _AI for each in value
    )
    return value if is_thread and isinstance(value, list) else None


def _of_messages(messages: list[Json]) -> dict[str, Json]:
    if strange := next((one for one in messages if not _is_known(one)), None):
        named = ", ".join(f"`{key}`" for key in strange) if isinstance(strange, Mapping) else ""
        raise AgentError(
            f"messages of an unknown shape{f', with {named}' if named else ''}. "
            "Return `response` and `toolCalls`.",
            category="contract_violation",
        )
    run = read_thread({"messages": messages}, ())
    calls: list[Json] = [
        {"name": call.name, "params": call.params, "success": call.success, "result": call.result}
        for call in run.calls
    ]
    answer: dict[str, Json] = {"response": run.text, "toolCalls": calls}
    if run.usage is not None:
        answer["usage"] = run.usage.told_tokens
    return answer


def _is_known(message: Json) -> bool:
    """Whether a message says who wrote it, and its content is text or blocks that name their type;
    of any other what was called would go unseen."""
    if not isinstance(message, Mapping) or not {"type", "role"} & message.keys():
        return False
    content = message.get("content")
    blocks = content if isinstance(content, list) else ()
    return all(
        isinstance(block, str) or (isinstance(block, Mapping) and "type" in block)
        for block in blocks
    )


def _step(step: Json) -> Json:
    """An action of LangChain's executor, and what came of it."""
    action, result = step if isinstance(step, list) and len(step) == 2 else (step, None)
    if not isinstance(action, Mapping):
        return action
    params = action.get("tool_input")
    params = params if isinstance(params, Mapping) else {"input": params}
    return {"name": action.get("tool"), "params": params, "success": True, "result": result}


def _call(call: Mapping[str, Json]) -> Json:
    """As the contract writes it; arguments that are a JSON text become what it says."""
    inner = call.get("function")
    named = _renamed({**call, **inner} if isinstance(inner, Mapping) else call, _CALL_NAMES)
    if isinstance(text := named.get("params"), str):
        with suppress(ValueError, RecursionError):
            named["params"] = decode_json(text)
    return named


def _renamed(value: Mapping[str, Json], names: Mapping[str, tuple[str, ...]]) -> dict[str, Json]:
    result = dict(value)
    for name, others in names.items():
        if name not in result:
            for other in others:
                if other in result:
                    result[name] = result.pop(other)
                    break
    return result
