"""The exact interval of a share (Clopper and Pearson), which never covers less than it promises."""

from math import exp, lgamma, log, log1p

from evaltui.core.statistics.rates import PassRate

_EITHER_SIDE = 0.025


def exact_rate(passes: int, trials: int) -> PassRate:
    """Clopper-Pearson interval at 95 % of at least one trial.

    Whatever the true share, at least 95 of 100 such intervals hold it. Wilson's do so on average
    alone: of 50 trials with a true share of 0.99 91 of 100, of 10 with 0.95 the same. The price
    is width. Biometrika 26 (1934); found by bisection on the sums of binomial probabilities.

    >>> found = exact_rate(80, 100)
    >>> f"{found.low:.4f} {found.high:.4f}"
    '0.7082 0.8733'
    """
    low, high = _least(passes, trials), 1.0 - _least(trials - passes, trials)
    return PassRate(passes, trials, low, high)


def _least(passes: int, trials: int) -> float:
    """The smallest share with which so many passes, or more, are no rarer than 1 in 40."""
    if not passes:
        return 0.0
    rarer, as_often = 0.0, passes / trials
    while rarer < (middle := (rarer + as_often) / 2) < as_often:
        if _at_least(passes, trials, middle) < _EITHER_SIDE:
            rarer = middle
        else:
            as_often = middle
    return rarer


def _at_least(passes: int, trials: int, share: float) -> float:
    """How probable so many passes are, or more, with a share of less than `passes / trials`.

    Each further one is less probable, so that it ends long before `trials`.
    """
    ways = lgamma(trials + 1) - lgamma(passes + 1) - lgamma(trials - passes + 1)
    one = exp(ways + passes * log(share) + (trials - passes) * log1p(-share))
    total = 0.0
    for count in range(passes, trials + 1):
        total += one
        if one <= total * 1e-18:
            break
        one *= (trials - count) / (count + 1) * share / (1 - share)
    return total
