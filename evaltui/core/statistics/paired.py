"""Two runs of the same cases compared as a whole."""

from collections.abc import Hashable, Sequence
from math import sqrt

from msgspec import Struct

from evaltui.core.statistics.rates import Z95


class PairedDifference(Struct, frozen=True, gc=False):
    """Mean of the differences of paired cases, now less before, in shares of one."""

    mean: float
    error: float
    """Standard error of the mean; 0.0 where all differences are the same."""
    cases: int

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval."""
        return self.mean - Z95 * self.error

    @property
    def high(self) -> float:
        return self.mean + Z95 * self.error


def paired_difference(
    differences: Sequence[float], clusters: Sequence[Hashable] | None = None
) -> PairedDifference:
    """`differences` of at least one case, now less before; `clusters`, in step with them, say which
    cases belong together and so do not count as independent.

    Miller, "Adding error bars to evals" (2024), equations 1 and 4. Five lost, one gained of ten:

    >>> found = paired_difference([-1] * 5 + [1] + [0] * 4)
    >>> f"{found.mean:.2f} ± {found.error:.4f}"
    '-0.40 ± 0.2211'
    >>> f"{paired_difference([-1, -1, 0, 0], 'aabb').error:.4f}"
    '0.3536'
    """
    count = len(differences)
    mean = sum(differences) / count
    if clusters is None:
        squares = sum((each - mean) ** 2 for each in differences)
        error = sqrt(squares / (count - 1) / count) if count > 1 else 0.0
        return PairedDifference(mean, error, count)
    sums: dict[Hashable, float] = {}
    for each, cluster in zip(differences, clusters, strict=True):
        sums[cluster] = sums.get(cluster, 0.0) + each - mean
    return PairedDifference(mean, sqrt(sum(of * of for of in sums.values())) / count, count)


def mcnemar(lost: int, gained: int) -> float:
    """Two-sided exact p-value of so many verdicts lost and gained among paired cases.

    Figures of the exact binomial test of 1 of 15 and 4 of 10:

    >>> f"{mcnemar(1, 14):.5f} {mcnemar(4, 6):.3f}"
    '0.00098 0.754'
    """
    moved = lost + gained
    # Whole numbers until the end: of a thousand moved cases 2^-1000 is still no zero. Each way to
    # choose comes from the one before: made anew, those of 20,000 moved cases take half a minute.
    tail = ways = 1
    for fewer in range(min(lost, gained)):
        ways = ways * (moved - fewer) // (fewer + 1)
        tail += ways
    return min(1.0, 2 * tail / (1 << moved))
