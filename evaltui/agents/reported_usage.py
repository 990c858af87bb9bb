"""Usage and cost as an answer in the contract's shape reports them: `usage`, and `costUsd`."""

from collections.abc import Callable
from typing import TypeVar

from evaltui.core.json_value import Json
from evaltui.core.reported_number import tokens, usd
from evaltui.core.response import Usage

T = TypeVar("T", int, float)

_KEYS = frozenset(("usage", "costUsd", "cost_usd"))
_INPUT = ("inputTokens", "input_tokens", "prompt_tokens")
_OUTPUT = ("outputTokens", "output_tokens", "completion_tokens")
_TOTAL = ("totalTokens", "total_tokens")
_COST = ("costUsd", "cost_usd")


def reported_usage(value: Json) -> Usage | None:
    """Tokens, and US dollars of the answer or else of its `usage`, in camel or snake case; what
    can be no such number is not told."""
    if not isinstance(value, dict) or _KEYS.isdisjoint(value):
        return None
    usage = value.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    cost = _first(value, _COST, usd)
    cost = _first(usage, _COST, usd) if cost is None else cost
    put_in, put_out, total = (_first(usage, each, tokens) for each in (_INPUT, _OUTPUT, _TOTAL))
    return Usage.reported(put_in, put_out, total, cost)


def _first(
    table: dict[str, Json], names: tuple[str, ...], read: Callable[[Json], T | None]
) -> T | None:
    numbers = (read(table.get(name)) for name in names)
    return next((number for number in numbers if number is not None), None)
