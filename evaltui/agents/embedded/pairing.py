"""Which span goes to which parameter: every pair is scored, the best pair is taken first."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from evaltui.agents.embedded.message import MessageReading
from evaltui.agents.embedded.schema import Parameter
from evaltui.agents.embedded.spans import Span
from evaltui.agents.embedded.text import stem
from evaltui.agents.embedded.type_fit import type_fit

NAME_CONTEXT = 2.2
DESCRIPTION_CONTEXT = 0.7
ORDER = 0.15
"""Taken off for each step that a span stands out of schema order."""
OTHER_CLAUSE = 1.0


class Pair(NamedTuple):
    score: float
    context: float
    parameter: Parameter
    span: Span


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in text.split())


_PREPOSITIONS: dict[str, tuple[frozenset[str], float]] = {
    "from": (_stems("from origin source start departure base initial sender first pickup"), 1.0),
    "to": (_stems("to destination target end arrival recipient final second receiver convert"), 1.0),
    "into": (_stems("to destination target"), 1.0),
    "in": (_stems("city location place country state area region where year month language unit"), 0.5),
    "at": (_stems("location place time rate venue address price"), 0.5),
    "near": (_stems("location place city address"), 0.5),
    "on": (_stems("date day platform topic"), 0.5),
    "by": (_stems("author artist director by composer creator painter"), 0.8),
    "with": (_stems("with ingredient"), 0.3),
    "for": (_stems("duration day keyword query purpose name"), 0.2),
    "about": (_stems("topic query subject keyword question"), 0.6),
    "between": (_stems("start first from origin"), 0.2),
    "named": (_stems("name title"), 1.0),
    "called": (_stems("name title"), 1.0),
    "titled": (_stems("name title"), 1.0),
    "of": (_stems("number value name"), 0.1),
}  # fmt: skip


def pair_up(
    parameters: Sequence[Parameter], message: MessageReading, clauses: Collection[int] | None
) -> list[Pair]:
    """The chosen pairs, best first; no span and no parameter occurs twice."""
    pairs: list[tuple[float, int, int, float]] = []
    spans = message.spans
    for i, parameter in enumerate(parameters):
        wants_order = i
        for j, span in enumerate(spans):
            fit = type_fit(parameter, span)
            if fit <= 0:
                continue
            context = _context(parameter, span)
            score = fit + context - 0.001 * abs(j - wants_order)
            if clauses is not None and span.clause not in clauses:
                score -= OTHER_CLAUSE
            pairs.append((-score, i, j, context))
    pairs.sort()
    taken: list[Pair] = []
    filled: set[int] = set()
    used: list[Span] = []
    for score, i, j, context in pairs:
        span = spans[j]
        if i in filled or any(span.start < other.end and other.start < span.end for other in used):
            continue
        filled.add(i)
        used.append(span)
        taken.append(Pair(-score, context, parameters[i], span))
        if len(filled) == len(parameters):
            break
    return taken


def _context(parameter: Parameter, span: Span) -> float:
    """Words of the parameter's name and description around the span, unit and preposition."""
    names = parameter.name_stems
    described = parameter.description_stems
    in_name = in_description = 0.0
    for word, closeness in span.near.items():
        if word in names:
            in_name += closeness
        elif word in described:
            in_description += closeness
    score = NAME_CONTEXT * min(in_name, 1.2) + DESCRIPTION_CONTEXT * min(in_description, 1.2)
    if span.preposition in _PREPOSITIONS:
        cues, bonus = _PREPOSITIONS[span.preposition]
        if names & cues:
            score += bonus
    return score
