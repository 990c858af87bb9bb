"""Tokens and cost as a trace reports them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil
from types import MappingProxyType

from evaltui.core.case import TraceCase
from evaltui.core.json_value import Json, JsonObject
from evaltui.core.reported_number import amount, as_number, finite

KINDS = ("input", "output")
"""Of tokens."""
USAGE = "gen_ai.usage."
"""What OpenTelemetry's names of tokens begin with."""


def tokens(case: TraceCase) -> dict[str, float | None]:
    """By kind; `None` where nothing tells of them, or something tells a negative number."""
    given = list(_usages(case))
    return {kind: _sum_of(one.get(f"{kind}_tokens") for one in given) for kind in KINDS}


def total_tokens(case: TraceCase) -> float | None:
    """Of all kinds; as unknown as that of one kind is."""
    counts = [*tokens(case).values()]
    return None if None in counts else _sum_of(counts)


def cost_usd(case: TraceCase) -> float | None:
    """In dollars, of all that tell theirs, as tokens are counted: a sum that the last one told
    would be lower than its parts. `None` as with tokens."""
    return _sum_of(one.get("cost_usd") for one in _usages(case))


def in_current_words(attributes: JsonObject) -> dict[str, Json]:
    """Attributes of an event, with tokens and cost under the names of `gen_ai.usage`."""
    names = {key for keys in _NAMES.values() for key in keys}
    current = {f"{USAGE}{name}": one for name, one in _used(attributes).items() if one is not None}
    return {**{key: one for key, one in attributes.items() if key not in names}, **current}


def used_in_all(metadata: JsonObject) -> dict[str, Json]:
    """What a case tells of tokens and cost beside its events, under the names of `gen_ai.usage`;
    what is no amount is left out."""
    usage = metadata.get("token_usage")
    told = usage if isinstance(usage, Mapping) else {}
    found = {name: amount(as_number(told.get(name))) for name in _NAMES}
    return {
        f"{USAGE}{name}": one if name == "cost_usd" else round(one)
        for name, one in found.items()
        if one is not None
    }


def percentile(values: Sequence[float], percent: int) -> float:
    """By nearest rank, of sorted values."""
    return values[max(0, ceil(percent / 100 * len(values)) - 1)]


def _sum_of(values: Iterable[Json]) -> float | None:
    """Of what is told; `None` when nothing is, or one is no amount: it would be too low."""
    total: float | None = None
    for each in values:
        if each not in _NOTHING:
            known = amount(as_number(each))
            if known is None:
                return None
            total = (total or 0.0) + known
    return finite(total)


def _usages(case: TraceCase) -> Iterator[Mapping[str, Json]]:
    """What is told of tokens and cost, by the names of `token_usage`."""
    if isinstance(usage := case.metadata.get("token_usage"), Mapping):
        yield usage
    for event in case.trace:
        yield _used(event.attributes)


def _used(attributes: JsonObject) -> dict[str, Json]:
    return {
        name: next((one for key in keys if (one := attributes.get(key)) is not None), None)
        for name, keys in _NAMES.items()
    }


_NOTHING = (None, "")
_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "input_tokens": ("usage.input_tokens", "gen_ai.usage.input_tokens"),
        "output_tokens": ("usage.output_tokens", "gen_ai.usage.output_tokens"),
        "cost_usd": ("cost_usd", "usage.cost_usd", "gen_ai.usage.cost_usd"),
    }
)
"""What attributes of events call them; the first that tells counts."""
