"""Says what a command may cost before it runs; nothing is spent without agreement."""

import sys

from evaltui.core.config import Config
from evaltui.core.errors import UserError
from evaltui.core.measured_number import dollars
from evaltui.session.money.estimate import Estimate


def agree(
    what: str, estimate: Estimate, config: Config, *, is_agreed: bool, unit: str = "trials"
) -> None:
    """Say it, and ask where it is neither free nor known to be cheap; `is_agreed`: by a flag;
    `unit`: what the estimate counts.

    Raises UserError where somebody declines, or nobody is there to be asked.
    """
    said = f"{what}: {estimate.cases:,} {unit}, {cost(estimate)}"
    sys.stderr.write(f"{said}\n")
    if is_agreed or not estimate.asks_first:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UserError(
            f"Nothing was run: {said}{_why(estimate, config.confirm_above)}.", _ways(estimate)
        )
    sys.stderr.write("Continue? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().lower() not in ("y\n", "yes\n"):
        raise UserError("Nothing was run.", "Name fewer cases, or fewer --trials.")


def _why(estimate: Estimate, limit: float) -> str:
    """Why somebody has to agree, where what is said of the cost does not say it."""
    if estimate.cost_usd is None:
        return ""
    if estimate.cost_usd > limit:
        most = dollars(limit, beside=(estimate.cost_usd,))
        return f", more than the {most} of `confirm_above`"
    return f", a guess for {estimate.never_run:,} that never ran" if estimate.never_run else ""


def _ways(estimate: Estimate) -> str:
    if estimate.is_untold:
        return (
            "`--yes` agrees to it. Its answers so far told no cost. Write into its settings "
            "`is_free = true` if it is free, or the `price` of a model; or have its answers tell "
            "what they cost."
        )
    return (
        "`--yes` agrees to it; `max_cost_usd` limits it."
        + (_SAY_FREE if estimate.is_taken_free else "")
        + (_RUN_FIRST if estimate.cost_usd is None else "")
    )


_SAY_FREE = " If it is free, say so in its profile: `is_free = true`."
_RUN_FIRST = " A case that ran shows what it costs, where answers tell it: `evaltui run`."


def cost(estimate: Estimate) -> str:
    """`about $0.31`, `free`, `cost unknown`, `cost not known yet`."""
    if estimate.cost_usd is not None:
        return f"about {dollars(estimate.cost_usd)}"
    return estimate.without_sum
