"""Repeated cases taken together: pass@k and pass^k."""

from collections.abc import Iterable

from msgspec import Struct

from evaltui.core.result import CaseResult
from evaltui.core.statistics.rates import (
    PassRate,
    Stability,
    pass_at_k,
    pass_hat_k,
    pass_rate,
    stability,
)


class Repeated(Struct, frozen=True, gc=False):
    """One case that was run several times."""

    rate: PassRate
    stability: Stability
    any_of_k: float
    """Chance that one of k attempts passes; k is the number of attempts that were judged."""
    all_of_k: float
    """Chance that all of k pass."""


class Repeats(Struct, frozen=True, gc=False):
    """Means over several repeated cases."""

    cases: int
    flaky: int
    k: int
    """The lowest number of judged attempts that any of them has."""
    any_of_k: float
    all_of_k: float


def repeated(result: CaseResult) -> Repeated | None:
    """`None` for a case that was run once, or of which no attempt could be judged."""
    if _is_single(result) or (judged := result.trials_judged).count < 2:
        return None
    passes, trials = judged.passes, judged.count
    return Repeated(
        pass_rate(passes, trials),
        stability(passes, trials),
        pass_at_k(passes, trials, trials),
        pass_hat_k(passes, trials, trials),
    )


def repeats_of(results: Iterable[CaseResult]) -> Repeats | None:
    """`None` when nothing was planned to be repeated: further trials tell only of what fell."""
    several = [
        judged
        for result in results
        if not _is_single(result) and (judged := result.as_planned.judged).count > 1
    ]
    if not several:
        return None
    k = min(one.count for one in several)
    return Repeats(
        len(several),
        sum(stability(one.passes, one.count) is Stability.FLAKY for one in several),
        k,
        sum(pass_at_k(one.passes, one.count, k) for one in several) / len(several),
        sum(pass_hat_k(one.passes, one.count, k) for one in several) / len(several),
    )


def _is_single(result: CaseResult) -> bool:
    """Whether there is one attempt and no more was planned, as of nearly all: each line of a report
    asks."""
    return result.trials < 2 and not result.attempts and result.planned is None
