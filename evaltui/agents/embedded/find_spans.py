"""Finds the spans of a message: typed ones, runs of several, and plain noun phrases."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from evaltui.agents.embedded.background import Background
from evaltui.agents.embedded.span_patterns import SPANS
from evaltui.agents.embedded.span_values import day, listed, number
from evaltui.agents.embedded.spans import Span, SpanKind
from evaltui.agents.embedded.text import FUNCTION_WORDS
from evaltui.core.json_value import Json

PREPOSITIONS = frozenset(
    "in at on from to for of by with about near between using as into since until before after"
    " around under over via named called titled within through per".split()
)
MAX_SPANS = 60
_LEFT = (1.0, 0.75, 0.55, 0.4, 0.3)
_RIGHT = (0.8, 0.5, 0.3)
_ARTICLES = frozenset("the a an my our your this that his her their its is are was".split())
_LONGEST_PHRASE = 5
_JOINTS = frozenset({",", "and", ", and", "or", "&", ", or", ";"})


class Token(NamedTuple):
    """One word of the message; `stem` is empty for a function word."""

    word: str
    stem: str
    start: int
    end: int
    clause: int
    starts_sentence: bool
    follows_break: bool
    """Punctuation stands between it and the word before."""


def find_spans(text: str, tokens: list[Token], background: Background) -> list[Span]:
    """All spans by position; runs and phrases come after the typed ones."""
    starts = [token.start for token in tokens]
    typed: list[Span] = []
    for match in SPANS.finditer(text):
        kind = (
            SpanKind.RELATIVE
            if match.lastgroup == "relative"
            else SpanKind(match.lastgroup or "name")
        )
        start, end = match.span()
        if kind is SpanKind.NAME:
            start = _name_start(tokens, starts, start, end, background)
            if start >= end:
                continue
        typed.append(_span(kind, text, start, end, tokens, starts))
        if len(typed) >= MAX_SPANS:
            break
    return [*typed, *_runs(text, typed), *_phrases(text, tokens, starts, typed)]


def _name_start(
    tokens: list[Token], starts: list[int], start: int, end: int, background: Background
) -> int:
    """Where the name really begins: ordinary words that only begin the sentence are skipped."""
    i = bisect_left(starts, start)
    while i < len(tokens) and tokens[i].start < end:
        token = tokens[i]
        skip = not token.stem or (token.starts_sentence and token.stem in background.ordinary)
        if not skip:
            return token.start
        i += 1
    return end


def _span(
    kind: SpanKind, text: str, start: int, end: int, tokens: list[Token], starts: list[int]
) -> Span:
    raw = text[start:end]
    value: Json = raw
    unit = ""
    if kind is SpanKind.QUOTED:
        raw = value = raw[1:-1].strip()
    elif kind is SpanKind.NUMBER:
        value, unit = number(raw)
    elif kind is SpanKind.LIST:
        value = listed(raw)
    elif kind is SpanKind.DATE:
        value = day(raw)
    near, preposition, clause = surroundings(start, end, tokens, starts)
    return Span(kind, raw, start, end, value, near, preposition, unit, None, clause)


def surroundings(
    start: int, end: int, tokens: list[Token], starts: list[int]
) -> tuple[dict[str, float], str, int]:
    """`(closeness by stem, preposition, clause)` of the words around `[start, end)`."""
    first = bisect_left(starts, start)
    after = bisect_left(starts, end)
    near: dict[str, float] = {}
    preposition = ""
    seen = 0
    i = first - 1
    while i >= 0 and seen < len(_LEFT):
        token = tokens[i]
        if token.stem:
            near.setdefault(token.stem, _LEFT[seen])
            seen += 1
        elif not preposition and seen == 0 and token.word in PREPOSITIONS:
            preposition = token.word
        if token.starts_sentence:
            break
        i -= 1
    seen = 0
    i = after
    while i < len(tokens) and seen < len(_RIGHT) and not tokens[i].starts_sentence:
        if tokens[i].stem:
            if _RIGHT[seen] > near.get(tokens[i].stem, 0.0):
                near[tokens[i].stem] = _RIGHT[seen]
            seen += 1
        i += 1
    clause = tokens[first].clause if first < len(tokens) else 0
    return near, preposition, clause


def _runs(text: str, typed: list[Span]) -> Iterator[Span]:
    i = 0
    while i < len(typed):
        j = i
        while (
            j + 1 < len(typed)
            and typed[j + 1].kind is typed[i].kind
            and text[typed[j].end : typed[j + 1].start].strip(" '\"") in _JOINTS
        ):
            j += 1
        if j > i:
            members = typed[i : j + 1]
            near = dict(members[-1].near)
            near.update(members[0].near)
            yield Span(
                SpanKind.RUN,
                text[members[0].start : members[-1].end],
                members[0].start,
                members[-1].end,
                [
                    member.value if member.kind is SpanKind.NUMBER else member.text
                    for member in members
                ],
                near,
                members[0].preposition,
                members[-1].unit,
                members[0].kind,
                members[0].clause,
            )
        i = j + 1


def _phrases(
    text: str, tokens: list[Token], starts: list[int], typed: list[Span]
) -> Iterator[Span]:
    """Runs of content words outside typed spans, each with the preposition before it."""
    covered = [False] * len(tokens)
    for span in typed:
        for i in range(bisect_left(starts, span.start), bisect_left(starts, span.end)):
            covered[i] = True
    i = 0
    while i < len(tokens):
        if covered[i] or not tokens[i].stem:
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
        before = i - 1
        while before >= 0 and tokens[before].word in _ARTICLES:
            before -= 1
        word = tokens[before].word if before >= 0 else ""
        start, end = tokens[i].start, tokens[j - 1].end
        near, _, clause = surroundings(start, end, tokens, starts)
        preposition = word if word in PREPOSITIONS and word in FUNCTION_WORDS else ""
        yield Span(
            SpanKind.PHRASE,
            text[start:end],
            start,
            end,
            text[start:end],
            near,
            preposition,
            "",
            None,
            clause,
        )
        i = j
