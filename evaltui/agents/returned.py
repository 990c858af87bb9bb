"""What a Python function returned, in the contract's shape whatever it called its fields."""

from collections.abc import Mapping

from evaltui.core.json_value import Json
from evaltui.core.response import Usage

_OTHER_NAMES = {"response": ("text", "output", "answer"), "toolCalls": ("tool_calls", "calls")}
_CALL_NAMES = {
    "name": ("tool",),
    "params": ("arguments", "args", "input"),
    "durationMs": ("duration_ms",),
}


def as_answer(value: Json) -> Json:
    """A text as it is; of an object the fields that have another usual name get the contract's.

    A missing field stays missing: an agent that reports no calls is not one that made none.
    """
    if not isinstance(value, Mapping):
        return value
    answer = _renamed(value, _OTHER_NAMES)
    calls = answer.get("toolCalls")
    if isinstance(calls, list):
        answer["toolCalls"] = [
            _renamed(call, _CALL_NAMES) if isinstance(call, Mapping) else call for call in calls
        ]
    return answer


def usage_of(value: Json) -> Usage | None:
    """Tokens and cost from `usage`, in camel or snake case."""
    usage = value.get("usage") if isinstance(value, Mapping) else None
    if not isinstance(usage, Mapping):
        return None

    def number(*names: str) -> float | None:
        for name in names:
            found = usage.get(name)
            if isinstance(found, int | float) and not isinstance(found, bool):
                return found
        return None

    tokens_in = number("inputTokens", "input_tokens", "prompt_tokens")
    tokens_out = number("outputTokens", "output_tokens", "completion_tokens")
    cost = number("costUsd", "cost_usd")
    return Usage(int(tokens_in or 0), int(tokens_out or 0), cost)


def _renamed(value: Mapping[str, Json], names: Mapping[str, tuple[str, ...]]) -> dict[str, Json]:
    result = dict(value)
    for name, others in names.items():
        if name not in result:
            for other in others:
                if other in result:
                    result[name] = result.pop(other)
                    break
    return result
