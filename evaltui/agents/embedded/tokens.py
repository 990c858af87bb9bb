"""Splits a message into words with their place: position, clause, sentence start."""

import re
from typing import NamedTuple

from evaltui.agents.embedded.text import FUNCTION_WORDS, stem

_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+|[.!?;,:\n]")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CLAUSE_WORDS = frozenset({"and", "then", "also", "plus"})
_CLAUSE_MARKS = frozenset(".!?;,\n")


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


def read_tokens(text: str) -> list[Token]:
    """All words in order; clauses are numbered from 0 without gaps."""
    tokens: list[Token] = []
    clause = used = 0
    starts_sentence = follows_break = True
    for match in _TOKEN.finditer(text):
        raw = match[0]
        if len(raw) == 1 and not raw.isalnum():
            if raw in _CLAUSE_MARKS:
                clause = used + 1
                starts_sentence = starts_sentence or raw != ","
            follows_break = True
            continue
        start = match.start()
        for piece in (raw,) if raw.islower() else _CAMEL.split(raw):
            word = piece.lower()
            if word[-2:] in ("'s", "’s"):
                word = word[:-2]
            if word in _CLAUSE_WORDS:
                clause = used + 1
            elif clause > used:
                used = clause
            elif word == "now" and tokens and tokens[-1].word == "right":
                tokens[-1] = tokens[-1]._replace(stem="")
            end = start + len(piece)
            tokens.append(
                Token(word, _stem(word), start, end, clause, starts_sentence, follows_break)
            )
            start = end
            starts_sentence = follows_break = False
    return tokens


def _stem(word: str) -> str:
    plain = word.replace("'", "").replace("’", "") if not word.isalnum() else word
    if plain in FUNCTION_WORDS or (len(plain) < 2 and plain.isascii() and not plain.isdigit()):
        return ""
    return stem(plain)
