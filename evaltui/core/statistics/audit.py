"""How much can have changed among cases of which only some were drawn and run."""

from fractions import Fraction
from functools import lru_cache
from math import comb


@lru_cache(256)
def most_changed(cases: int, drawn: int, changed: int) -> int:
    """The most of the `cases` that can have changed, those of the `drawn` ones among them.

    `changed` of the drawn ones did. It is exceeded with a chance of at most one in twenty, if they
    were drawn at random before anything was known: the exact upper limit of the
    hypergeometric distribution, the largest K with P(Hyp(cases, K, drawn) ≤ changed) above it.

    >>> most_changed(128, 20, 0)
    16
    """
    if not 0 <= changed <= drawn <= cases:
        raise ValueError(f"{changed} changed of {drawn} drawn of {cases} cannot be")
    most = Fraction(comb(cases, drawn), 20)
    low, high = changed, cases - (drawn - changed)
    while low < high:
        middle = (low + high + 1) // 2
        if _ways_of_at_most(cases, middle, drawn, changed) > most:
            low = middle
        else:
            high = middle - 1
    return low


def _ways_of_at_most(cases: int, changed: int, drawn: int, found: int) -> int:
    """In how many draws there are so many changed ones or fewer.

    Each term comes from the one before: made anew, thousands of them take minutes.
    """
    same = cases - changed
    least = max(0, drawn - same)
    ways = total = comb(changed, least) * comb(same, drawn - least)
    for n in range(least, min(found, changed, drawn)):
        ways = ways * (changed - n) * (drawn - n) // ((n + 1) * (same - drawn + n + 1))
        total += ways
    return total if found >= least else 0
