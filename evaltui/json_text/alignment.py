"""Which items of a list are still the same ones after a change."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

Item = TypeVar("Item")

_MOST_PAIRS = 10_000
"""Beyond that, items between those in front and at the end count as changed one by one."""


class Stretch(NamedTuple):
    """Items that lie between two that stayed: where they were, where they are."""

    old: range
    new: range


def changed_stretches(
    old: Sequence[Item], new: Sequence[Item], is_same: Callable[[Item, Item], bool]
) -> list[Stretch]:
    """What differs, in order; as many items as possible stay."""
    front = 0
    while front < min(len(old), len(new)) and is_same(old[front], new[front]):
        front += 1
    back = 0
    most = min(len(old), len(new)) - front
    while back < most and is_same(old[-1 - back], new[-1 - back]):
        back += 1
    left, right = range(front, len(old) - back), range(front, len(new) - back)
    stretches = []
    at, to = front, front
    for one, other in [*_stayed(old, left, new, right, is_same), (left.stop, right.stop)]:
        if at < one or to < other:
            stretches.append(Stretch(range(at, one), range(to, other)))
        at, to = one + 1, other + 1
    return stretches


def _stayed(
    old: Sequence[Item],
    left: range,
    new: Sequence[Item],
    right: range,
    is_same: Callable[[Item, Item], bool],
) -> list[tuple[int, int]]:
    """A longest common subsequence, as places in both."""
    if len(left) * len(right) > _MOST_PAIRS:
        return []
    pairs = {(one, to) for one in left for to in right if is_same(old[one], new[to])}
    longest: dict[tuple[int, int], int] = {}
    """How many stay from here on; none behind either end."""
    for one in reversed(left):
        for to in reversed(right):
            longest[one, to] = (
                1 + longest.get((one + 1, to + 1), 0)
                if (one, to) in pairs
                else max(longest.get((one + 1, to), 0), longest.get((one, to + 1), 0))
            )
    stayed = []
    one, to = left.start, right.start
    while one < left.stop and to < right.stop:
        if (one, to) in pairs:
            stayed.append((one, to))
            one, to = one + 1, to + 1
        elif longest.get((one + 1, to), 0) >= longest.get((one, to + 1), 0):
            one += 1
        else:
            to += 1
    return stayed
