"""The smallest change a comparison can detect.

Miller, "Adding error bars to evals" (2024), section 5: at 5 % error (two-sided) and 80 % power.
"""

from evaltui.core.statistics.paired import PairedDifference
from evaltui.core.statistics.rates import Z95

Z80 = 0.8416212335729143
"""One-sided 80 % quantile of the normal distribution."""


def smallest_visible_drop(found: PairedDifference, step: float = 1.0) -> float:
    """The drop, in shares of one, that a comparison like this sees four times of five. `step`: the
    least by which a case can differ, a half of one that was tried twice.

    Where hardly a case differed, as if the next one might: no spread seen is not none there.

    >>> f"{smallest_visible_drop(PairedDifference(0.0, 0.01, 400)):.4f}"
    '0.0280'
    >>> f"{smallest_visible_drop(PairedDifference(0.0, 0.0, 50)):.4f}"
    '0.0539'
    >>> f"{smallest_visible_drop(PairedDifference(0.0, 0.0, 50), 1 / 10):.4f}"
    '0.0054'
    """
    # Agresti and Min (2005): half a case more in each cell of the table of pairs.
    least = step / (found.cases + 2)
    return min(1.0, (Z95 + Z80) * max(found.error, least))
