"""What an answer in the contract's shape says it took: `usage`, and `costUsd` beside it."""

import sys

from evaltui.core.json_value import Json
from evaltui.core.response import Usage

_TOLD = frozenset(("usage", "costUsd", "cost_usd"))
_INPUT = ("inputTokens", "input_tokens", "prompt_tokens")
_OUTPUT = ("outputTokens", "output_tokens", "completion_tokens")
_TOTAL = ("totalTokens", "total_tokens")
_COST = ("costUsd", "cost_usd")


def told_usage(value: Json) -> Usage | None:
    """Tokens, and US dollars of the answer or else of its `usage`, in camel or snake case."""
    if not isinstance(value, dict) or _TOLD.isdisjoint(value):
        return None
    usage = value.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    cost = _first(value, _COST)
    cost = _first(usage, _COST) if cost is None else cost
    if cost is None and not usage:
        return None
    tokens_in, tokens_out = (int(_first(usage, names) or 0) for names in (_INPUT, _OUTPUT))
    return Usage.told(tokens_in, tokens_out, int(_first(usage, _TOTAL) or 0), cost)


def number_told(value: object) -> float | None:
    """A number of tokens or dollars; `None` for anything that cannot be one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if 0 <= value <= sys.float_info.max else None


def _first(table: dict[str, Json], names: tuple[str, ...]) -> float | None:
    numbers = (number_told(table.get(name)) for name in names)
    return next((number for number in numbers if number is not None), None)
