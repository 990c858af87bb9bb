"""What repeated cases say: pass rates with their intervals, pass@k and pass^k."""

from collections.abc import Sequence

from evaltui.core.result import CaseResult
from evaltui.core.statistics import Stability, pass_at_k, pass_hat_k, pass_rate, stability


def rate_text(result: CaseResult) -> str:
    """`3/5 60 % (23–88 %) flaky` of a repeated case, with its interval at 95 %; else empty."""
    if result.trials <= 1:
        return ""
    rate = pass_rate(result.passes, result.trials)
    word = stability(result.passes, result.trials)
    flaky = " flaky" if word is Stability.FLAKY else ""
    return (
        f"{rate.passes}/{rate.trials} {100 * rate.rate:.0f} % "
        f"({100 * rate.low:.0f}–{100 * rate.high:.0f} %){flaky}"
    )


def trials_line(results: Sequence[CaseResult]) -> str:
    """Means over the repeated cases: one of k attempts passes, and all k do; else empty.

    k is the lowest number of judged attempts that any of them has.
    """
    repeated = [result for result in results if result.trials > 1]
    if not repeated:
        return ""
    k = min(result.trials for result in repeated)
    any_of = sum(pass_at_k(one.passes, one.trials, k) for one in repeated) / len(repeated)
    all_of = sum(pass_hat_k(one.passes, one.trials, k) for one in repeated) / len(repeated)
    cases = "1 repeated case" if len(repeated) == 1 else f"{len(repeated)} repeated cases"
    return f"pass@{k} {any_of:.2f} | pass^{k} {all_of:.2f} over {cases}"
