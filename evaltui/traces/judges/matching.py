"""Whether each of some items can be matched to another one of its own."""

from collections.abc import Callable
from functools import cache


def has_matching(count: int, others: int, fits: Callable[[int, int], bool]) -> bool:
    """Whether `count` things find a partner each among `others`; all go by their places.

    Whoever came first moves on to another partner where one that comes later needs his: the
    first that fits is not always the right one.
    """
    is_fit = cache(fits)
    partner: dict[int, int] = {}
    taken_by: dict[int, int] = {}
    for one in range(count):
        wanted_by: dict[int, int] = {}
        queue, free = [one], None
        for here in queue:  # grows while somebody would have to move on
            for other in range(others):
                if other in wanted_by or not is_fit(here, other):
                    continue
                wanted_by[other] = here
                if other not in taken_by:
                    free = other
                    break
                queue.append(taken_by[other])
            if free is not None:
                break
        while free is not None:
            mover = wanted_by[free]
            taken_by[free] = mover
            before = partner.get(mover)
            partner[mover] = free
            free = before
        if one not in partner:
            return False
    return True
