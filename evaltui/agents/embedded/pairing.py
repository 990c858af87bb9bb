"""Which span goes to which parameter: every pair is scored, the best pair is taken first."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from evaltui.agents.embedded.message import MessageReading
from evaltui.agents.embedded.schema import Parameter
from evaltui.agents.embedded.spans import Span, SpanKind
from evaltui.agents.embedded.text import stem
from evaltui.agents.embedded.type_fit import fits, type_fit

NAME_CONTEXT = 2.2
DESCRIPTION_CONTEXT = 0.7
ORDER = 0.001
"""Taken off for each step that a span stands out of schema order."""
OTHER_CLAUSE = 1.0
LABEL = 1.5
OPTIONAL_AT = 1.9
"""An optional parameter takes a span only from this score on, and only on its own words."""
OPTIONAL_CONTEXT = 0.6
_WORDLIKE = (SpanKind.PHRASE, SpanKind.NAME)


class Pair(NamedTuple):
    score: float
    context: float
    parameter: Parameter
    span: Span


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in text.split())


_PREPOSITIONS: dict[str, tuple[frozenset[str], float]] = {
    "from": (_stems("from origin source start departure base initial sender first pickup"), 1.0),
    "to": (_stems("to destination target end arrival recipient final second receiver"), 1.0),
    "into": (_stems("to destination target"), 1.0),
    "in": (_stems("city location place country state area region where year month unit"), 0.5),
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
    parameters: Sequence[Parameter],
    message: MessageReading,
    own_stems: frozenset[str],
    clauses: Collection[int] | None,
) -> list[Pair]:
    """The chosen pairs, best first; no span and no parameter occurs twice."""
    pairs: list[tuple[float, int, int, float]] = []
    spans = message.spans
    by_kind = message.by_kind
    for i, parameter in enumerate(parameters):
        relevant = _relevant(parameter, message)
        required, label = parameter.required, parameter.label
        if not required and not relevant and len(label) > 4:
            continue
        fitting = fits(parameter.type, parameter.item_type, parameter.want)
        for kind, positions in by_kind.items():
            if kind not in fitting:
                continue
            base = fitting[kind]
            for j in positions:
                span = spans[j]
                # Most pairs have nothing in common: not asking further saves half of the time.
                has_context = relevant or span.preposition or span.label == label
                if not (required or has_context):
                    continue
                fit = type_fit(parameter, span) if base is None else base
                if fit <= 0 or (kind in _WORDLIKE and span.stems <= own_stems):
                    continue
                context = _context(parameter, span, relevant) if has_context else 0.0
                score = fit + context - ORDER * abs(j - i)
                if clauses is not None and span.clause not in clauses:
                    score -= OTHER_CLAUSE
                if required or (context >= OPTIONAL_CONTEXT and score >= OPTIONAL_AT):
                    pairs.append((-score, i, j, context))
    pairs.sort()
    taken: list[Pair] = []
    filled: set[int] = set()
    used: list[Span] = []
    for score, i, j, context in pairs:
        if i in filled:
            continue
        span = spans[j]
        if any(span.start < other.end and other.start < span.end for other in used):
            continue
        filled.add(i)
        used.append(span)
        taken.append(Pair(-score, context, parameters[i], span))
        if len(filled) == len(parameters):
            break
    return taken


def _relevant(parameter: Parameter, message: MessageReading) -> list[tuple[str, float, bool]]:
    """Words of the message that name or describe the parameter, each with its weight."""
    described = parameter.description_stems
    found: list[tuple[str, float, bool]] = []
    if parameter.name_starts.isdisjoint(message.starts) and described.isdisjoint(message.query):
        return found
    names = parameter.name_stems
    for word in message.query:
        if word in names:
            found.append((word, 1.0, True))
        elif word[:3] in parameter.name_starts and _is_variant(word, names):
            found.append((word, 0.8, True))
        elif word in described:
            found.append((word, 1.0, False))
    return found


def _is_variant(word: str, names: frozenset[str]) -> bool:
    """`bedroom` for `bed`, or the other way round."""
    return len(word) > 3 and any(
        len(name) > 2 and (word.startswith(name) or name.startswith(word)) for name in names
    )


def _context(parameter: Parameter, span: Span, relevant: list[tuple[str, float, bool]]) -> float:
    """Words of the parameter's name and description around the span, its label, its preposition."""
    score = 0.0
    if relevant:
        in_name = in_description = 0.0
        near = span.near
        for word, weight, is_name in relevant:
            if word in near:
                if is_name:
                    in_name += near[word] * weight
                else:
                    in_description += near[word]
        score = NAME_CONTEXT * min(in_name, 1.2) + DESCRIPTION_CONTEXT * min(in_description, 1.2)
    if span.label and span.label == parameter.label:
        score += LABEL
    if span.preposition in _PREPOSITIONS:
        cues, bonus = _PREPOSITIONS[span.preposition]
        if parameter.name_stems & cues or parameter.label == span.preposition:
            score += bonus
    return score
