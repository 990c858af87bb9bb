"""How strongly trials say that a case passes less often than it did.

Wasserman, Ramdas and Balakrishnan, "Universal inference" (2020): how likely what happened is
under a mixture of all rates, divided by the most that it can be when nothing got worse. That ratio
is large with a chance of at most one in as much, at every moment of looking and of stopping.
"""

from fractions import Fraction
from functools import cache, lru_cache
from math import exp, factorial, lgamma, log, pi

from evaltui.core.statistics.trials import Trials, TwoSides

CLOSE = 1e-9
"""Logarithms nearer to one another than this are compared as fractions."""


def e_value(sides: TwoSides) -> float:
    """How many times better "it got worse" explains the trials; infinite beyond the floats.

    A baseline of ten passes, then one, two and three failures; twenty, then four:

    >>> then = Trials(10, 0)
    >>> [f"{e_value(TwoSides(then, Trials(0, n))):.1f}" for n in (1, 2, 3)]
    ['2.5', '14.7', '61.8']
    >>> f"{e_value(TwoSides(Trials(20, 0), Trials(0, 4))):.0f}"
    '1703'
    """
    logarithm = log_e(sides)
    return exp(logarithm) if logarithm < 700 else float("inf")


def log_e(sides: TwoSides) -> float:
    """Natural logarithm of the e-value: it neither overflows nor underflows."""
    then, now = sides.baseline, sides.now
    return _log_e(then.passes, then.failures, now.passes, now.failures)


def reaches(sides: TwoSides, bar: Fraction) -> bool:
    """Whether the e-value is at least `bar`, a positive number; exact also where both are equal.

    >>> reaches(TwoSides(Trials(1, 0), Trials(0, 1)), Fraction(1))
    True
    >>> reaches(TwoSides(Trials(1, 0), Trials(0, 1)), Fraction(1) + Fraction(1, 10**30))
    False
    """
    difference = log_e(sides) - log_of(bar)
    return exact_e(sides) >= bar if abs(difference) < CLOSE else difference > 0


def exact_e(sides: TwoSides) -> Fraction:
    """The e-value as a fraction, which it always is; slow for thousands of trials.

    >>> exact_e(TwoSides(Trials(1, 0), Trials(0, 1)))
    Fraction(1, 1)
    """
    then, now = sides.baseline, sides.now
    both = _mixture(then) * _mixture(now)
    if _got_no_worse(then, now):
        return both / (_likely(then) * _likely(now))
    return both / _likely(then + now)


def log_of(number: Fraction) -> float:
    """Natural logarithm of a positive number of any size."""
    return log(number.numerator) - log(number.denominator)


@lru_cache(1 << 16)
def _log_e(passes_then: int, failures_then: int, passes_now: int, failures_now: int) -> float:
    # The same few combinations are asked for again after each trial.
    then, now = Trials(passes_then, failures_then), Trials(passes_now, failures_now)
    return _log_mixture(then) + _log_mixture(now) - _log_most_likely(then, now)


def _got_no_worse(then: Trials, now: Trials) -> bool:
    """Whether the rate of now is at least that of then; of no trials it can be any."""
    return now.passes * then.count >= then.passes * now.count


def _log_most_likely(then: Trials, now: Trials) -> float:
    """Under any two rates of which that of now is not the lower one."""
    if _got_no_worse(then, now):
        return _log_likely(then) + _log_likely(now)
    return _log_likely(then + now)


def _log_likely(trials: Trials) -> float:
    """At the rate that makes these most likely."""
    passes, failures, count = trials.passes, trials.failures, trials.count
    if not passes or not failures:
        return 0.0
    return passes * log(passes / count) + failures * log(failures / count)


def _likely(trials: Trials) -> Fraction:
    passes, failures, count = trials.passes, trials.failures, trials.count
    return Fraction(passes**passes * failures**failures, count**count)


def _log_mixture(trials: Trials) -> float:
    """β(passes+½, failures+½) / β(½,½): over all rates, as Jeffreys weighs them."""
    both = _log_gamma_half(trials.passes) + _log_gamma_half(trials.failures)
    return both - _log_factorial(trials.count)


def _mixture(trials: Trials) -> Fraction:
    passes, failures = trials.passes, trials.failures
    above = factorial(2 * passes) * factorial(2 * failures)
    below = factorial(passes) * factorial(failures) * factorial(trials.count)
    return Fraction(above, below * 4**trials.count)


@cache
def _log_gamma_half(count: int) -> float:
    """Of Γ(count+½) / Γ(½)."""
    return lgamma(count + 0.5) - log(pi) / 2


@cache
def _log_factorial(count: int) -> float:
    return lgamma(count + 1)
