"""How much of a message one tool explains: five local terms, none of which sees another tool."""

from collections.abc import Sequence

from msgspec import Struct

from evaltui.agents.embedded.message import MessageReading
from evaltui.agents.embedded.tool_document import (
    MEAN_LENGTHS,
    WEIGHTS,
    ToolDocument,
    length_norm,
)
from evaltui.core.fingerprint import SHOWN_LENGTH
from evaltui.core.tool import short_hash

SATURATION = 0.9
"""How soon a repeated word stops counting (BM25's k1)."""
NEGATIVE_SHARE = 0.6
SHORTEST_NAME = 4.0
"""A name is full evidence only from this much idf on: a tool called `find` is not."""
SHORTEST_TEXT = 8.0


class Evidence(Struct, frozen=True):
    """What one tool has to say for itself; covers are shares of idf in 0..1."""

    document: ToolDocument
    matched: frozenset[str]
    against: frozenset[str]
    bm25: float
    cover: float
    name_cover: float
    tool_cover: float
    negative: float


def weigh(document: ToolDocument, message: MessageReading) -> Evidence:
    """The evidence for one tool that has a word in common with the message."""
    query = message.query
    terms = document.terms
    matched = [(stem, terms[stem]) for stem in message.stems if stem in terms]
    # Words that match never lengthen the description: describing a tool better must not lower it.
    in_description = 0
    for _, term in matched:
        in_description += term.in_description
    scale = WEIGHTS[1] / length_norm(document.description_length - in_description, MEAN_LENGTHS[1])
    bm25 = cover = name_cover = tool_cover = 0.0
    for stem, term in matched:
        idf = query[stem]
        frequency = term.fixed + term.in_description * scale
        bm25 += idf * frequency / (frequency + SATURATION)
        cover += idf
        if term.fields & 1:
            name_cover += idf
        if term.fields & 3:
            # Not halved inside names like `idf`: a matching word must raise this share.
            tool_cover += term.idf
    against = document.negative.intersection(query) if document.negative else document.negative
    negative = 0.0
    for stem in sorted(against):
        negative += query[stem]
    return Evidence(
        document=document,
        matched=frozenset([stem for stem, _ in matched]),
        against=against,
        bm25=max(0.0, bm25 - NEGATIVE_SHARE * negative),
        cover=cover / message.total,
        name_cover=name_cover / max(SHORTEST_NAME, document.name_idf),
        tool_cover=min(1.0, tool_cover / max(SHORTEST_TEXT, document.text_idf)),
        negative=negative / message.total,
    )


def read_print(document: ToolDocument, stems: Sequence[str]) -> str:
    """8 hex digits of all that `weigh`, and whatever follows it, takes from a tool for a message.

    `stems`: those of the message, or those of them that the tool says, sorted. An edit that leaves
    it the same leaves the decision the same, to the last digit.
    """
    terms = document.terms
    matched = [(stem, terms[stem]) for stem in stems if stem in terms]
    others = document.description_length - sum(term.in_description for _, term in matched)
    return short_hash(
        repr(
            (
                document.own_print,
                max(SHORTEST_TEXT, document.text_idf),
                length_norm(others, MEAN_LENGTHS[1]),
                [(s, t.fixed, t.in_description, t.fields, t.idf) for s, t in matched],
                [stem for stem in stems if stem in document.negative],
            )
        )
    )[:SHOWN_LENGTH]
