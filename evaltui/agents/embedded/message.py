"""A message read once: its words with their weights, its clauses and its spans."""

from bisect import bisect_left
from collections import OrderedDict
from functools import lru_cache

from msgspec import Struct

from evaltui.agents.embedded.background import Background
from evaltui.agents.embedded.find_spans import find_spans
from evaltui.agents.embedded.spans import Span, SpanKind
from evaltui.agents.embedded.tokens import Token, read_tokens

NAME_WEIGHT = 0.5
"""Words of names, quotes and identifiers say less about the tool than the words around them."""
KEPT_LENGTH = 400
MOST_AHEAD = 4_000
"""Readings that wait to be routed, some 8 KB each."""
LONGEST = 4_000
"""Characters read; a longer message is cut, and the decision says so."""
_NAMELIKE = frozenset(
    {SpanKind.NAME, SpanKind.QUOTED, SpanKind.ID, SpanKind.URL, SpanKind.EMAIL, SpanKind.ADDRESS}
)
_NUMERIC = frozenset({SpanKind.NUMBER, SpanKind.DATE, SpanKind.LIST, SpanKind.RUN})


class MessageReading(Struct, frozen=True):
    """Everything the router needs of a message; the same for every tool."""

    text: str
    padded: str
    """Lower-case words between single spaces, with a space at both ends."""
    query: dict[str, float]
    """Inverse document frequency by stem, halved inside names."""
    stems: tuple[str, ...]
    """Those of `query`, sorted: floating-point sums depend on the order."""
    starts: frozenset[str]
    """First three letters of every stem."""
    first: dict[str, int]
    """Position of each stem's first word."""
    total: float
    clauses: tuple[frozenset[str], ...]
    tokens: tuple[Token, ...]
    spans: tuple[Span, ...]
    by_kind: dict[SpanKind, list[int]]
    """Positions in `spans`."""
    has_numbers: bool
    """Whether anything in it could fill a numeric parameter."""
    is_cut: bool

    def word(self, stem: str) -> str:
        """The word of the message behind `stem`."""
        return self.tokens[self.first[stem]].word


def read_message(text: str, background: Background) -> MessageReading:
    """Split `text` into words, clauses and spans.

    Readings of short messages are kept: after an edit the same cases run again.
    """
    return (_read if len(text) > KEPT_LENGTH else _kept)(text, background)


def read_ahead(text: str, background: Background) -> MessageReading:
    """As `read_message`, of a message that may be routed soon: it is not read again then."""
    if len(text) > KEPT_LENGTH:
        return _read(text, background)
    key = text, background
    reading = _AHEAD.get(key)
    if reading is None:
        reading = _AHEAD[key] = _read(text, background)
        if len(_AHEAD) > MOST_AHEAD:
            _AHEAD.popitem(last=False)  # in one step: another thread may route meanwhile
    return reading


_AHEAD: OrderedDict[tuple[str, Background], MessageReading] = OrderedDict()


@lru_cache(maxsize=128)
def _kept(text: str, background: Background) -> MessageReading:
    return _AHEAD.pop((text, background), None) or _read(text, background)


def _read(text: str, background: Background) -> MessageReading:
    is_cut = len(text) > LONGEST
    text = text[:LONGEST]
    tokens = read_tokens(text)
    spans = find_spans(text, tokens, background)
    shade = _shaded(tokens, spans)
    query: dict[str, float] = {}
    first: dict[str, int] = {}
    clauses: list[set[str]] = [set()]
    for i, token in enumerate(tokens):
        while token.clause >= len(clauses):
            clauses.append(set())
        if not token.stem:
            continue
        weight = background.of(token.stem) * (NAME_WEIGHT if shade[i] else 1.0)
        if weight > query.get(token.stem, 0.0):
            query[token.stem] = weight
        first.setdefault(token.stem, i)
        clauses[token.clause].add(token.stem)
    by_kind: dict[SpanKind, list[int]] = {}
    for i, span in enumerate(spans):
        by_kind.setdefault(span.kind, []).append(i)
    return MessageReading(
        text=text,
        padded=f" {' '.join(token.word for token in tokens)} ",
        query=query,
        stems=tuple(sorted(query)),
        starts=frozenset([stem[:3] for stem in query]),
        first=first,
        total=sum(sorted(query.values())),
        clauses=tuple(map(frozenset, clauses)),
        tokens=tuple(tokens),
        spans=tuple(spans),
        by_kind=by_kind,
        has_numbers=not _NUMERIC.isdisjoint(by_kind),
        is_cut=is_cut,
    )


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
