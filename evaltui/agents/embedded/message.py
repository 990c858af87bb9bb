"""A message read once: its words with their weights, its clauses and its spans."""

import re
from bisect import bisect_left
from dataclasses import dataclass

from evaltui.agents.embedded.background import Background
from evaltui.agents.embedded.find_spans import Token, find_spans
from evaltui.agents.embedded.spans import Span, SpanKind
from evaltui.agents.embedded.text import FUNCTION_WORDS, stem

NAME_WEIGHT = 0.5
"""Words of names, quotes and identifiers say less about the tool than the words around them."""
LONGEST = 4_000
"""Characters read; a longer message is cut, and the decision says so."""
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+|[.!?;,:\n]")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CLAUSE_WORDS = frozenset({"and", "then", "also", "plus"})
_CLAUSE_MARKS = frozenset(".!?;,\n")
_NAMELIKE = frozenset(
    {SpanKind.NAME, SpanKind.QUOTED, SpanKind.ID, SpanKind.URL, SpanKind.EMAIL, SpanKind.ADDRESS}
)


@dataclass(frozen=True, slots=True)
class MessageReading:
    """Everything the router needs of a message; the same for every tool."""

    text: str
    padded: str
    """Lower-case words between single spaces, with a space at both ends."""
    query: dict[str, float]
    """Inverse document frequency by stem, halved inside names."""
    first: dict[str, int]
    """Position of each stem's first word."""
    total: float
    clauses: tuple[frozenset[str], ...]
    tokens: tuple[Token, ...]
    spans: tuple[Span, ...]
    is_cut: bool


def read_message(text: str, background: Background) -> MessageReading:
    """Split `text` into words, clauses and spans."""
    is_cut = len(text) > LONGEST
    text = text[:LONGEST]
    tokens = _tokens(text)
    spans = find_spans(text, tokens, background)
    shade = _shaded(tokens, spans)
    query: dict[str, float] = {}
    first: dict[str, int] = {}
    clauses: list[set[str]] = [set()]
    for i, token in enumerate(tokens):
        if token.clause >= len(clauses):
            clauses.append(set())
        if not token.stem:
            continue
        weight = background.of(token.stem) * (NAME_WEIGHT if shade[i] else 1.0)
        if weight > query.get(token.stem, 0.0):
            query[token.stem] = weight
        first.setdefault(token.stem, i)
        clauses[token.clause].add(token.stem)
    return MessageReading(
        text=text,
        padded=f" {' '.join(token.word for token in tokens)} ",
        query=query,
        first=first,
        total=sum(sorted(query.values())),
        clauses=tuple(frozenset(clause) for clause in clauses if clause),
        tokens=tuple(tokens),
        spans=tuple(spans),
        is_cut=is_cut,
    )


def _tokens(text: str) -> list[Token]:
    tokens: list[Token] = []
    clause = 0
    sentence_starts = True
    breaks = True
    for match in _TOKEN.finditer(text):
        raw = match[0]
        if len(raw) == 1 and not raw.isalnum():
            if raw in _CLAUSE_MARKS:
                clause += 1
                sentence_starts = sentence_starts or raw not in ",:"
            breaks = True
            continue
        for piece in _CAMEL.split(raw) if not raw.islower() else (raw,):
            word = piece.lower()
            if word[-2:] in ("'s", "’s"):
                word = word[:-2]
            if word in _CLAUSE_WORDS:
                clause += 1
            plain = word.replace("'", "").replace("’", "")
            stemmed = (
                ""
                if plain in FUNCTION_WORDS
                or (len(plain) < 2 and not plain.isdigit() and plain.isascii())
                else stem(plain)
            )
            tokens.append(
                Token(word, stemmed, match.start(), match.end(), clause, sentence_starts, breaks)
            )
            sentence_starts = False
            breaks = False
    return _renumber(tokens)


def _renumber(tokens: list[Token]) -> list[Token]:
    """Clauses numbered without gaps, so that each number stands for words."""
    numbers: dict[int, int] = {}
    return [
        token._replace(clause=numbers.setdefault(token.clause, len(numbers))) for token in tokens
    ]


def _shaded(tokens: list[Token], spans: list[Span]) -> list[bool]:
    starts = [token.start for token in tokens]
    shade = [False] * len(tokens)
    for span in spans:
        if span.kind in _NAMELIKE:
            i = bisect_left(starts, span.start)
            while i < len(tokens) and starts[i] < span.end:
                shade[i] = True
                i += 1
    return shade
