"""Finds the spans of a message: typed ones, plain noun phrases, and runs of several."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evaltui.agents.embedded.background import Background
from evaltui.agents.embedded.span_patterns import SPANS
from evaltui.agents.embedded.span_values import Day, day, listed, number
from evaltui.agents.embedded.spans import Span, SpanKind
from evaltui.agents.embedded.surroundings import Surroundings
from evaltui.agents.embedded.tokens import Token
from evaltui.core.json_value import Json

MAX_SPANS = 60
_LONGEST_PHRASE = 5
_JOINTS = frozenset({",", "and", ", and", "or", "&", ", or", ";"})
_QUOTABLE = frozenset(
    {SpanKind.URL, SpanKind.EMAIL, SpanKind.LIST, SpanKind.DATE, SpanKind.TIME, SpanKind.PATH,
     SpanKind.EXPRESSION}
)  # fmt: skip
"""Kinds that a quoted text is taken for when it is nothing else."""


class _Piece(NamedTuple):
    """A typed span before its surroundings are known."""

    kind: SpanKind
    start: int
    end: int
    text: str


def find_spans(text: str, tokens: Sequence[Token], background: Background) -> list[Span]:
    """All spans: the typed ones by position, then noun phrases, then runs of either."""
    starts = [token.start for token in tokens]
    pieces = list(_typed(text, tokens, starts, background))
    values = _with_year([_value(piece) for piece in pieces])
    covered = [False] * len(tokens)
    for piece in pieces:
        for i in range(bisect_left(starts, piece.start), bisect_left(starts, piece.end)):
            covered[i] = True
    around = Surroundings(tokens, starts, covered)
    typed = [
        around.span(piece.kind, piece.text, piece.start, piece.end, *value)
        for piece, value in zip(pieces, values, strict=True)
    ]
    phrases = list(_phrases(text, tokens, covered, around, background))
    runs = [*_runs(text, typed, around), *_runs(text, phrases, around)]
    return [*typed, *phrases, *runs]


def _typed(
    text: str, tokens: Sequence[Token], starts: list[int], background: Background
) -> Iterator[_Piece]:
    found = 0
    for match in SPANS.finditer(text):
        group = match.lastgroup or "name"
        kind = SpanKind.RELATIVE if group == "relative" else SpanKind(group)
        start, end = match.span()
        if kind is SpanKind.NAME:
            start, end = _name_bounds(tokens, starts, start, end, background)
            if start >= end:
                continue
        raw = text[start:end]
        if kind is SpanKind.QUOTED:
            raw = raw[1:-1].strip()
            inner = SPANS.fullmatch(raw)
            if inner and inner.lastgroup in _QUOTABLE:
                kind = SpanKind(inner.lastgroup)
        elif kind is SpanKind.NAME and raw[-2:] in ("'s", "’s"):
            raw = raw[:-2]
        yield _Piece(kind, start, end, raw)
        found += 1
        if found >= MAX_SPANS:
            return


def _name_bounds(
    tokens: Sequence[Token], starts: list[int], start: int, end: int, background: Background
) -> tuple[int, int]:
    """Without ordinary words that only begin the sentence, and function words at the end."""
    first, last = bisect_left(starts, start), bisect_left(starts, end)
    while first < last:
        token = tokens[first]
        if token.stem and not (token.starts_sentence and token.stem in background.ordinary):
            break
        first += 1
    cut = end
    while (
        last > first
        and not tokens[last - 1].stem
        and len(tokens[last - 1].word) > 0
        and tokens[last - 1].word.isalpha()
    ):
        last -= 1
        cut = tokens[last - 1].end if last > first else start
    return (tokens[first].start, cut) if first < last else (end, end)


def _value(piece: _Piece) -> tuple[Json, str]:
    match piece.kind:
        case SpanKind.NUMBER:
            return number(piece.text)
        case SpanKind.LIST:
            return listed(piece.text), ""
        case SpanKind.DATE:
            return day(piece.text), ""
        case _:
            return piece.text, ""


def _with_year(values: list[tuple[Json, str]]) -> list[tuple[Json, str]]:
    """Dates without a year take it from the one that has it ("from May 1 to May 5, 2024")."""
    years = {value.year for value, _ in values if isinstance(value, Day) and value.year}
    if len(years) != 1:
        return values
    year = years.pop()
    return [
        (value._replace(year=year), unit)
        if isinstance(value, Day) and not value.year
        else (value, unit)
        for value, unit in values
    ]


def _runs(text: str, spans: list[Span], around: Surroundings) -> Iterator[Span]:
    i = 0
    while i < len(spans):
        j = i
        while (
            j + 1 < len(spans)
            and spans[j + 1].kind is spans[i].kind
            and text[spans[j].end : spans[j + 1].start].strip(" '\"") in _JOINTS
        ):
            j += 1
        if j > i:
            members = spans[i : j + 1]
            values = [m.value if m.kind is SpanKind.NUMBER else m.text for m in members]
            start, end = members[0].start, members[-1].end
            yield around.span(
                SpanKind.RUN, text[start:end], start, end, values, members[-1].unit, members[0].kind
            )
        i = j + 1


def _phrases(
    text: str,
    tokens: Sequence[Token],
    covered: list[bool],
    around: Surroundings,
    background: Background,
) -> Iterator[Span]:
    """Runs of content words outside typed spans; a verb that opens a sentence is left out."""
    i = 0
    while i < len(tokens):
        first = tokens[i]
        opens = first.starts_sentence and first.stem in background.ordinary
        if covered[i] or not first.stem or opens:
            i += 1
            continue
        j = i + 1
        while (
            j < len(tokens)
            and j - i < _LONGEST_PHRASE
            and tokens[j].stem
            and not covered[j]
            and not tokens[j].follows_break
        ):
            j += 1
        start, end = tokens[i].start, tokens[j - 1].end
        yield around.span(SpanKind.PHRASE, text[start:end], start, end, text[start:end], "")
        i = j
