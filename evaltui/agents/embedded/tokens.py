"""Splits a message into words with their place: position, clause, sentence start."""

import re
from typing import NamedTuple

from evaltui.agents.embedded.text import WORD, content_stem, split_word

_TOKEN = re.compile(rf"{WORD}|[.!?;,:\n]")
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
        parts = split_word(raw)
        for i, (offset, word) in enumerate(parts):
            if word in _CLAUSE_WORDS:
                clause = used + 1
            elif clause > used:
                used = clause
            if word == "now" and tokens and tokens[-1].word == "right":
                tokens[-1] = tokens[-1]._replace(stem="")
            end = start + (parts[i + 1][0] if i + 1 < len(parts) else len(raw))
            tokens.append(
                Token(
                    word,
                    content_stem(word),
                    start + offset,
                    end,
                    clause,
                    starts_sentence,
                    follows_break,
                )
            )
            starts_sentence = follows_break = False
    return tokens
