"""Aligning two sequences of names: which are in the same order, which moved, which are alone."""

from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

CELLS_LIMIT = 250_000
"""Above this many pairs the longest common order is no longer searched exhaustively."""


class Pair(NamedTuple):
    """Positions that belong together; `None` on a side that has no counterpart."""

    left: int | None
    right: int | None
    is_moved: bool = False


def align(
    left: Sequence[str],
    right: Sequence[str],
    likeness: Callable[[int, int], int] = lambda _left, _right: 0,
) -> tuple[Pair, ...]:
    """Pair the names of two sequences; every position of both appears in exactly one pair.

    As many as possible are paired in order, and among such alignments the most alike ones by
    `likeness(left position, right position)`. What is left over and has the same name is paired
    as moved. The pairs follow the right sequence; what only the left one has is put before what
    came in its place.
    """
    in_order = _in_order(left, right, likeness)
    used_left = {pair[0] for pair in in_order}
    used_right = {pair[1] for pair in in_order}
    waiting: dict[str, deque[int]] = defaultdict(deque)
    for index, name in enumerate(left):
        if index not in used_left:
            waiting[name].append(index)
    counterpart = {other: index for index, other in in_order}
    moved: dict[int, int] = {}
    for index, name in enumerate(right):
        if index not in used_right and waiting[name]:
            moved[index] = waiting[name].popleft()
    alone = deque(sorted(index for queue in waiting.values() for index in queue))
    ends = sorted(counterpart.values())
    pairs: list[Pair] = []
    passed = 0
    for index in range(len(right)):
        end = ends[passed] if passed < len(ends) else len(left)
        while alone and alone[0] < end:
            pairs.append(Pair(alone.popleft(), None))
        if index in counterpart:
            pairs.append(Pair(counterpart[index], index))
            passed += 1
        elif index in moved:
            pairs.append(Pair(moved[index], index, True))
        else:
            pairs.append(Pair(None, index))
    pairs += [Pair(index, None) for index in alone]
    return tuple(pairs)


def _in_order(
    left: Sequence[str], right: Sequence[str], likeness: Callable[[int, int], int]
) -> list[tuple[int, int]]:
    """The longest common subsequence, the most alike one among equally long ones."""
    if len(left) * len(right) > CELLS_LIMIT:
        return _nth_with_nth(left, right)
    empty = (0, 0)
    best = [[empty] * (len(right) + 1) for _ in range(len(left) + 1)]
    alike: dict[tuple[int, int], int] = {}
    for i in range(len(left) - 1, -1, -1):
        for j in range(len(right) - 1, -1, -1):
            score = max(best[i + 1][j], best[i][j + 1])
            if left[i] == right[j]:
                alike[i, j] = likeness(i, j)
                after = best[i + 1][j + 1]
                score = max(score, (after[0] + 1, after[1] + alike[i, j]))
            best[i][j] = score
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < len(left) and j < len(right):
        after = best[i + 1][j + 1]
        if (i, j) in alike and best[i][j] == (after[0] + 1, after[1] + alike[i, j]):
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _nth_with_nth(left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]]:
    """For very long sequences: pair the n-th of a name with the n-th, keep the longest rise."""
    places: dict[str, deque[int]] = defaultdict(deque)
    for index, name in enumerate(right):
        places[name].append(index)
    pairs = [(index, places[name].popleft()) for index, name in enumerate(left) if places[name]]
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for index, (_, position) in enumerate(pairs):
        length = bisect_left(tails, position)
        before.append(ends[length - 1] if length else -1)
        tails[length : length + 1] = [position]
        ends[length : length + 1] = [index]
    chain: list[tuple[int, int]] = []
    current = ends[-1] if ends else -1
    while current >= 0:
        chain.append(pairs[current])
        current = before[current]
    return chain[::-1]
