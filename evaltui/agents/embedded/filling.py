"""Fills a tool's parameters from a message, and says how sure it is of each."""

from collections.abc import Collection
from typing import NamedTuple

from msgspec import Struct

from evaltui.agents.embedded.choosing import Chosen, choose, choose_several, flag
from evaltui.agents.embedded.message import MessageReading
from evaltui.agents.embedded.pairing import pair_up
from evaltui.agents.embedded.schema import Parameter
from evaltui.agents.embedded.tool_document import ToolDocument
from evaltui.agents.embedded.values import value_for
from evaltui.core.json_value import Json

NOTHING_REQUIRED = 0.6
DEFAULT_CONFIDENCE = 0.3


class Filled(NamedTuple):
    """One parameter's value, where it came from and how sure that is."""

    parameter: str
    value: Json
    source: str
    """Words of the message, or `default`."""
    confidence: float


class Filling(Struct, frozen=True):
    """All parameters of one call; `evidence` is the mean confidence over the required ones."""

    params: dict[str, Json]
    filled: tuple[Filled, ...]
    evidence: float
    extra: float
    """How much optional parameters say, 0..1."""


def most(document: ToolDocument, message: MessageReading) -> tuple[float, float]:
    """Bounds that `evidence` and `extra` of a filling cannot exceed, at hardly any cost."""
    extra = document.optional / (1.0 + document.optional)
    if not document.required:
        return NOTHING_REQUIRED, extra
    possible = document.required - (0 if message.has_numbers else document.numeric)
    return possible / document.required, extra


def fill(
    document: ToolDocument, message: MessageReading, clauses: Collection[int] | None = None
) -> Filling:
    """Fill the parameters of one tool; `clauses`: those that ask for it, if several tools are."""
    found: dict[int, Filled] = {}
    for parameter in document.choosable:
        chosen = _chosen(parameter, message)
        if chosen:
            found[parameter.order] = Filled(
                parameter.name, chosen.value, chosen.text, chosen.confidence
            )
    for pair in pair_up(document.open, message, document.own_stems, clauses):
        parameter = pair.parameter
        value = value_for(parameter, pair.span)
        if value is not None:
            confidence = min(1.0, max(0.0, pair.score) / 2)
            found[parameter.order] = Filled(parameter.name, value, pair.span.text, confidence)
    for parameter in document.defaulted:
        if parameter.order not in found:
            found[parameter.order] = Filled(
                parameter.name, parameter.default, "default", DEFAULT_CONFIDENCE
            )
    return _assemble(document, found)


def _chosen(parameter: Parameter, message: MessageReading) -> Chosen | None:
    if parameter.choices:
        if parameter.type == "array":
            return choose_several(parameter, message)
        return choose(parameter, message)
    return flag(parameter, message) if parameter.type == "boolean" else None


def _assemble(document: ToolDocument, found: dict[int, Filled]) -> Filling:
    params: dict[str, Json] = {}
    total = extra = 0.0
    orders = sorted(found)
    for order in orders:
        parameter, filled = document.parameters[order], found[order]
        if parameter.required and parameter.is_fillable:
            total += filled.confidence
        else:
            extra += filled.confidence
        inner = params
        for part in parameter.path[:-1]:
            inner = inner.setdefault(part, {})  # type: ignore[assignment]
        inner[parameter.path[-1]] = filled.value
    return Filling(
        params=params,
        filled=tuple(found[order] for order in orders),
        evidence=total / document.required if document.required else NOTHING_REQUIRED,
        extra=extra / (1.0 + extra),
    )
