"""Pass rates with their uncertainty, and whether a case is flaky or broken."""

from enum import StrEnum
from math import comb, sqrt

from msgspec import Struct

Z95 = 1.959963984540054
"""Two-sided 95 % quantile of the normal distribution."""


class PassRate(Struct, frozen=True, gc=False):
    """Share of passes with an interval at 95 %."""

    passes: int
    trials: int
    low: float
    high: float

    @property
    def rate(self) -> float:
        return self.passes / self.trials


class Stability(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    FLAKY = "flaky"


def pass_rate(passes: int, trials: int) -> PassRate:
    """Wilson score interval of at least one trial.

    Newcombe, Statistics in Medicine 17 (1998), table I, 81 of 263:

    >>> found = pass_rate(81, 263)
    >>> f"{found.low:.4f} {found.high:.4f}"
    '0.2553 0.3662'
    """
    share = passes / trials
    spread = Z95 * Z95 / trials
    centre = (share + spread / 2) / (1 + spread)
    half = Z95 * sqrt(share * (1 - share) / trials + spread / (4 * trials)) / (1 + spread)
    # At either end the formula gives exactly that end, and floats a little less or more.
    low = centre - half if passes else 0.0
    high = centre + half if passes < trials else 1.0
    return PassRate(passes, trials, low, high)


def stability(passes: int, trials: int) -> Stability:
    """Passed every time, never, or now and then: the one owner of what is flaky."""
    if passes == trials and trials:
        return Stability.PASSED
    return Stability.FLAKY if passes else Stability.FAILED


def pass_at_k(passes: int, trials: int, k: int) -> float:
    """Chance that at least one of `k` attempts passes (unbiased, drawing without replacement).

    Chen and others, "Evaluating large language models trained on code" (2021), equation 1.

    >>> pass_at_k(1, 4, 2)
    0.5
    """
    if not 1 <= k <= trials:
        raise ValueError(f"k must be between 1 and {trials}, not {k}")
    return 1.0 - comb(trials - passes, k) / comb(trials, k)


def pass_hat_k(passes: int, trials: int, k: int) -> float:
    """Chance that all of `k` attempts pass (unbiased, drawing without replacement).

    Yao and others, τ-bench (2024), gpt-4o on the airline domain, four trials a task:

    >>> tasks = {0: 14, 1: 12, 2: 10, 3: 4, 4: 10}
    >>> def mean(k): return sum(n * pass_hat_k(c, 4, k) for c, n in tasks.items()) / 50
    >>> [f"{mean(k):.3f}" for k in (1, 2, 3, 4)]
    ['0.420', '0.273', '0.220', '0.200']
    """
    if not 1 <= k <= trials:
        raise ValueError(f"k must be between 1 and {trials}, not {k}")
    return comb(passes, k) / comb(trials, k)
