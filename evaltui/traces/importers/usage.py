"""How many tokens a record says were used, under the names that OpenTelemetry gives them."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from evaltui.core.json_value import Json
from evaltui.traces.importers.part import Part, number

_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "gen_ai.usage.input_tokens": (
            *("input_tokens", "prompt_tokens", "promptTokenCount", "prompt_token_count"),
            *("inputTokens", "promptTokens"),
        ),
        "gen_ai.usage.output_tokens": (
            *("output_tokens", "completion_tokens", "candidatesTokenCount"),
            *("candidates_token_count", "outputTokens", "completionTokens"),
        ),
        "usage.cost_usd": ("cost_usd", "costUsd", "total_cost_usd", "total_cost"),
    }
)
_BESIDES: Mapping[str, str] = MappingProxyType(
    {
        "cache_read_input_tokens": "gen_ai.usage.cache_read.input_tokens",
        "cache_creation_input_tokens": "gen_ai.usage.cache_creation.input_tokens",
    }
)
"""What Anthropic counts beside the tokens of the input, and OpenTelemetry among them."""
_THOUGHTS = ("thoughtsTokenCount", "thoughts_token_count")
"""Tokens that Gemini counts beside those of the answer."""


def usage_attributes(said: Part) -> dict[str, Json]:
    """Attributes for the counts of an object such as `usage`; those it does not say are absent."""
    found: dict[str, Json] = {}
    for name, keys in _NAMES.items():
        amount = number(said.first(*keys))
        if amount is not None and 0 <= amount < 1e15:
            found[name] = amount if name.endswith("usd") else round(amount)
    for key, name in _BESIDES.items():
        _add(found, "gen_ai.usage.input_tokens", number(said.first(key)), besides=name)
    _add(found, "gen_ai.usage.output_tokens", number(said.first(*_THOUGHTS)))
    return found


def total(all_said: Iterable[Part]) -> dict[str, Json]:
    """Attributes for all that several answers used together."""
    found: dict[str, Json] = {}
    for said in all_said:
        for name, amount in usage_attributes(said).items():
            found[name] = (number(found.get(name)) or 0) + (number(amount) or 0)
    return {
        key: one if key.endswith("usd") else round(number(one) or 0) for key, one in found.items()
    }


def _add(
    found: dict[str, Json], total: str, amount: float | None, *, besides: str | None = None
) -> None:
    if amount is None or not 0 < amount < 1e15:
        return
    found[total] = round(amount) + int(number(found.get(total)) or 0)
    if besides is not None:
        found[besides] = round(amount)
