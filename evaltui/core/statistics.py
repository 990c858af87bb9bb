"""Pass rates with their uncertainty, and whether a case is flaky or broken."""

from enum import StrEnum
from math import comb, sqrt

from msgspec import Struct

Z95 = 1.959963984540054
"""Two-sided 95 % quantile of the normal distribution."""


class PassRate(Struct, frozen=True, gc=False):
    """Share of passes with its Wilson score interval at 95 %."""

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
    """Wilson score interval of at least one trial."""
    share = passes / trials
    spread = Z95 * Z95 / trials
    centre = (share + spread / 2) / (1 + spread)
    half = Z95 * sqrt(share * (1 - share) / trials + spread / (4 * trials)) / (1 + spread)
    return PassRate(passes, trials, max(0.0, centre - half), min(1.0, centre + half))


def stability(passes: int, trials: int) -> Stability:
    """Passed every time, never, or now and then."""
    if passes == trials and trials:
        return Stability.PASSED
    return Stability.FLAKY if passes else Stability.FAILED


def pass_at_k(passes: int, trials: int, k: int) -> float:
    """Chance that at least one of `k` attempts passes (unbiased, drawing without replacement)."""
    if not 1 <= k <= trials:
        raise ValueError(f"k must be between 1 and {trials}, not {k}")
    return 1.0 - comb(trials - passes, k) / comb(trials, k)


def pass_hat_k(passes: int, trials: int, k: int) -> float:
    """Chance that all of `k` attempts pass (unbiased, drawing without replacement)."""
    if not 1 <= k <= trials:
        raise ValueError(f"k must be between 1 and {trials}, not {k}")
    return comb(passes, k) / comb(trials, k)
