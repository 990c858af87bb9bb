"""The token usage a record reports, under the names that OpenTelemetry gives it."""

from collections.abc import Iterable, Mapping, Sequence
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
        "gen_ai.usage.cache_read.input_tokens": ("cache_read.input_tokens",),
        "gen_ai.usage.cache_creation.input_tokens": ("cache_creation.input_tokens",),
    }
)
_BESIDES: Mapping[str, str] = MappingProxyType(
    {
        "cache_read_input_tokens": "gen_ai.usage.cache_read.input_tokens",
        "cache_creation_input_tokens": "gen_ai.usage.cache_creation.input_tokens",
        "cacheReadInputTokens": "gen_ai.usage.cache_read.input_tokens",
        "cacheWriteInputTokens": "gen_ai.usage.cache_creation.input_tokens",
    }
)
"""What Anthropic and Bedrock's Converse count beside the tokens of the input, and OpenTelemetry
among them."""
_THOUGHTS = ("thoughtsTokenCount", "thoughts_token_count")
"""Tokens that Gemini counts beside those of the answer."""
_TOOL_USE = ("toolUsePromptTokenCount", "tool_use_prompt_token_count")
"""Tokens of what its tools gave back, which Gemini counts beside those of the prompt."""
_NOISE = 1e-12
"""What remains of a sum of costs for no other reason than that it was rounded."""


def usage_attributes(said: Part) -> dict[str, Json]:
    """Attributes for the counts of an object such as `usage`; those it does not say are absent."""
    found: dict[str, Json] = {}
    for name, keys in _NAMES.items():
        amount = number(said.first(*keys))
        if amount is not None and _is_amount(amount):
            found[name] = amount if name.endswith("usd") else round(amount)
    for key, name in _BESIDES.items():
        _add(found, "gen_ai.usage.input_tokens", number(said.first(key)), besides=name)
    _add(found, "gen_ai.usage.input_tokens", number(said.first(*_TOOL_USE)))
    _add(found, "gen_ai.usage.output_tokens", number(said.first(*_THOUGHTS)))
    return found


def unreadable_figures(said: Part) -> list[str]:
    """The keys of counts and costs that are no such number, so that they are left out."""
    read = [*_NAMES.values(), *((key,) for key in _BESIDES), _TOOL_USE, _THOUGHTS]
    keys = (next((key for key in each if said.value.get(key) is not None), "") for each in read)
    return [key for key in keys if key and not _is_amount(number(said.value[key]))]


def _is_amount(amount: float | None) -> bool:
    return amount is not None and 0 <= amount < 1e15


def total(all_said: Iterable[Part]) -> dict[str, Json]:
    """Attributes for all that several answers used together."""
    found: dict[str, Json] = {}
    for said in all_said:
        for name, amount in usage_attributes(said).items():
            found[name] = (number(found.get(name)) or 0) + (number(amount) or 0)
    return {
        key: one if key.endswith("usd") else round(number(one) or 0) for key, one in found.items()
    }


def left_over(
    all_used: Mapping[str, Json], events: Sequence[Mapping[str, Json]]
) -> dict[str, float]:
    """What a whole record used beyond what its events tell; nothing is told too, where none does:
    who used nothing kept a budget."""
    found: dict[str, float] = {}
    for name, amount in all_used.items():
        known = [one for each in events if (one := number(_attribute(name, each))) is not None]
        rest = (number(amount) or 0) - sum(known)
        if rest > _NOISE or not known:
            found[name] = rest
    return found


def amounts_in(attributes: Mapping[str, Json]) -> dict[str, Json]:
    """Those of the attributes that are tokens or costs."""
    return {name: one for name, one in attributes.items() if name in _NAMES and one is not None}


def with_more(attributes: Mapping[str, Json], more: Mapping[str, Json]) -> dict[str, Json]:
    """The attributes of an event with so much more used, by the name that it has for that."""
    found = dict(attributes)
    for name, amount in more.items():
        own = _own_name(name, found)
        both = (number(found.get(own)) or 0) + (number(amount) or 0)
        found[own] = both if name.endswith("usd") else round(both)
    return found


def _attribute(name: str, event: Mapping[str, Json]) -> Json:
    attributes = event.get("attributes")
    if not isinstance(attributes, Mapping):
        return None
    return attributes.get(_own_name(name, attributes))


def _own_name(name: str, attributes: Mapping[str, Json]) -> str:
    """What an export's own attributes may call it, which counts more then."""
    short = name.removeprefix("gen_ai.")
    return short if attributes.get(short) is not None else name


def _add(
    found: dict[str, Json], total: str, amount: float | None, *, besides: str | None = None
) -> None:
    if amount is None or not 0 < amount < 1e15:
        return
    found[total] = round(amount) + int(number(found.get(total)) or 0)
    if besides is not None:
        found[besides] = round(amount)
