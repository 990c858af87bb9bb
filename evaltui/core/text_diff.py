"""Which characters differ between two texts."""

import re
from difflib import SequenceMatcher
from typing import NamedTuple

MIDDLE_LIMIT = 300
"""Longest differing middle, in characters, that is looked into any further."""
LIKENESS = 0.5
"""Below this share of common characters a middle counts as wholly different."""


_WORD = re.compile(r"\s+|\w+|[^\w\s]")


class Piece(NamedTuple):
    """A run of characters; `is_changed` when the other text does not have it there."""

    text: str
    is_changed: bool


def mark_difference(before: str, after: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Cut two texts into common and differing pieces; the pieces of each join to the text again.

    Linear in the length: the common head and tail are cut off, and only a short middle that is
    still alike is compared character by character.
    """
    head = _common_head(before, after)
    tail = _common_tail(before, after, min(len(before), len(after)) - head)
    middles = before[head : len(before) - tail], after[head : len(after) - tail]
    left, right = _inside(*middles)
    first, last = before[:head], before[len(before) - tail :]
    return _joined(first, left, last), _joined(first, right, last)


def mark_words(before: str, after: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Like `mark_difference`, by whole words: what a reader of sentences looks for."""
    left, right = _WORD.findall(before), _WORD.findall(after)
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    sides: tuple[list[Piece], list[Piece]] = ([], [])
    for tag, start, end, other_start, other_end in matcher.get_opcodes():
        sides[0].append(Piece("".join(left[start:end]), tag != "equal"))
        sides[1].append(Piece("".join(right[other_start:other_end]), tag != "equal"))
    first, second = (tuple(piece for piece in side if piece.text) for side in sides)
    return first, second


def is_alike(before: str, after: str) -> bool:
    """Whether enough of both texts is the same for marking the rest to help: of all characters
    of the two together at least the share `LIKENESS`."""
    common = sum(len(piece.text) for piece in mark_difference(before, after)[0] if not piece[1])
    return 2 * common >= LIKENESS * (len(before) + len(after))


def _common_head(before: str, after: str) -> int:
    """Length of the common beginning, by halving: comparing slices is quick on huge texts."""
    low, high = 0, min(len(before), len(after))
    while low < high:
        middle = (low + high + 1) // 2
        if before[low:middle] == after[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_tail(before: str, after: str, limit: int) -> int:
    low, high = 0, limit
    ends = len(before), len(after)
    while low < high:
        middle = (low + high + 1) // 2
        left = before[ends[0] - middle : ends[0] - low]
        if left == after[ends[1] - middle : ends[1] - low]:
            low = middle
        else:
            high = middle - 1
    return low


def _inside(before: str, after: str) -> tuple[list[Piece], list[Piece]]:
    whole = [Piece(before, True)], [Piece(after, True)]
    if not before or not after or len(before) > MIDDLE_LIMIT or len(after) > MIDDLE_LIMIT:
        return whole
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    if matcher.ratio() < LIKENESS:
        return whole
    left: list[Piece] = []
    right: list[Piece] = []
    for tag, start, end, other_start, other_end in matcher.get_opcodes():
        left.append(Piece(before[start:end], tag != "equal"))
        right.append(Piece(after[other_start:other_end], tag != "equal"))
    return left, right


def _joined(first: str, middle: list[Piece], last: str) -> tuple[Piece, ...]:
    pieces = (Piece(first, False), *middle, Piece(last, False))
    return tuple(piece for piece in pieces if piece.text)
