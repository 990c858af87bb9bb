"""All cases of an agent against what is pinned of them, as a whole."""

from collections.abc import Callable, Container, Iterable

from evaltui.core.case import CaseKey
from evaltui.core.paired_runs import PairedRuns, paired_trials
from evaltui.core.result import CaseStatus
from evaltui.core.statistics.trials import Planned, Trials, TwoSides
from evaltui.core.suite import Suite
from evaltui.store.board import Board
from evaltui.store.row import Row


def against_baseline(
    board: Board,
    suites: Iterable[Suite],
    keys: Container[CaseKey],
    fresh: Callable[[CaseKey], Trials],
) -> PairedRuns | None:
    """`None` where too few of the cases are pinned and judged; muted ones are left out.

    Of an agent that may answer otherwise the next time only trials count that prove something:
    results that were pinned because they were green would make everything look worse. Of those
    only what was planned counts. `fresh`: how many were made for the pin of a case.
    """
    is_sampled = board.standards.is_sampled
    planned = {
        row.key: _sampled(row, fresh(row.key)) if is_sampled else _steady(row)
        for row in board.rows.values()
        if row.key in keys and _is_compared(row)
    }
    return paired_trials(planned, suites)


def _is_compared(row: Row) -> bool:
    pinned, result = row.baseline, row.result
    if row.muted or pinned is None or result is None or result.is_nothing_asserted:
        return False
    return pinned.status is not CaseStatus.SKIPPED


def _steady(row: Row) -> tuple[Planned, Planned]:
    pinned, result = row.baseline, row.result
    before = Planned() if pinned is None else pinned.as_planned
    return before, Planned() if result is None else result.as_planned


def _sampled(row: Row, fresh: Trials) -> tuple[Planned, Planned]:
    """Fresh trials were planned, and what else counts for the baseline stands in where there are
    none: some of it may have been repeated because of what it came to. How many of those ended in
    errors is not known."""
    then, now = _steady(row)
    sides = row.proof.sides if row.proof is not None else TwoSides()
    judged = fresh if fresh.count else sides.baseline
    before = then if judged == then.judged else Planned(judged)
    return before, now if sides.now.count else Planned(erred=now.erred)
