"""What repeated cases say: pass rates with their intervals, pass@k and pass^k."""

from collections.abc import Iterable

from evaltui.core.json_value import Json
from evaltui.core.repeats import repeated, repeats_of
from evaltui.core.result import CaseResult
from evaltui.core.statistics.rates import Stability


def rate_text(result: CaseResult) -> str:
    """`3/5 60 % (23–88 %) flaky` of a repeated case, with its interval at 95 %; else empty.
    Attempts that nobody could judge are named besides: `0/1, 1 error`; not where all of them are
    such, which is told otherwise."""
    errors = f", {result.erred} error{'s' * (result.erred > 1)}" if result.erred else ""
    known = repeated(result)
    if known is None:
        is_said = errors and result.trials_judged.count
        return f"{result.passes}/{result.trials}{errors}" if is_said else ""
    rate = known.rate
    flaky = " flaky" if known.stability is Stability.FLAKY else ""
    return (
        f"{rate.passes}/{rate.trials} {100 * rate.rate:.0f} % "
        f"({100 * rate.low:.0f}–{100 * rate.high:.0f} %){flaky}{errors}"
    )


def trials_line(results: Iterable[CaseResult]) -> str:
    """Means over the repeated cases: one of k attempts passes, and all k do; else empty.

    k is the lowest number of judged attempts that any of them has.
    """
    means = repeats_of(results)
    if means is None:
        return ""
    cases = "1 repeated case" if means.cases == 1 else f"{means.cases} repeated cases"
    # Over all runs with the same inputs there may be more.
    flaky = f", {means.flaky} of them flaky in this run" if means.flaky else ""
    return (
        f"pass@{means.k} {means.any_of_k:.2f} | pass^{means.k} {means.all_of_k:.2f} "
        f"over {cases}{flaky}"
    )


def case_facts(result: CaseResult) -> dict[str, Json]:
    """The figures of a repeated case for machines, shares from 0 to 1; else empty."""
    known = repeated(result)
    if known is None:
        return {}
    return {
        "trials": known.rate.trials,
        "passes": known.rate.passes,
        "passRate": round(known.rate.rate, 6),
        "passRateLow": round(known.rate.low, 6),
        "passRateHigh": round(known.rate.high, 6),
        "stability": known.stability.value,
        "k": known.rate.trials,
        "passAtK": round(known.any_of_k, 6),
        "passHatK": round(known.all_of_k, 6),
    }


def run_facts(results: Iterable[CaseResult]) -> dict[str, Json]:
    """The figures over all repeated cases for machines; empty when nothing was repeated."""
    means = repeats_of(results)
    if means is None:
        return {}
    return {
        "repeatedCases": means.cases,
        "flakyCases": means.flaky,
        "k": means.k,
        "passAtK": round(means.any_of_k, 6),
        "passHatK": round(means.all_of_k, 6),
    }
