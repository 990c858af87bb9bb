"""All cases of an agent against what is pinned of them, as a whole."""

from collections.abc import Container, Iterable

from evaltui.core.case import CaseKey
from evaltui.core.paired_runs import PairedRuns, paired_trials
from evaltui.core.result import CaseStatus
from evaltui.core.statistics.trials import Trials, TwoSides
from evaltui.core.suite import Suite
from evaltui.store.board import Board
from evaltui.store.row import Row


def against_baseline(
    board: Board, suites: Iterable[Suite], keys: Container[CaseKey]
) -> PairedRuns | None:
    """`None` where too few of the cases are pinned and judged; muted ones are left out.

    Of an agent that may answer otherwise the next time only trials count that prove something:
    results that were pinned because they were green would make everything look worse.
    """
    trials = {
        row.key: _trials(row, is_sampled=board.standards.is_sampled)
        for row in board.rows.values()
        if row.key in keys and _is_compared(row)
    }
    return paired_trials(trials, suites)


def _is_compared(row: Row) -> bool:
    pinned, result = row.baseline, row.result
    if row.muted or pinned is None or result is None or result.is_nothing_asserted:
        return False
    return pinned.status is not CaseStatus.SKIPPED


def _trials(row: Row, *, is_sampled: bool) -> tuple[Trials, Trials, tuple[int, int]]:
    """Of further trials, made after the pin, it is not known how many ended in errors."""
    pinned, result = row.baseline, row.result
    now, since = (Trials(), 0) if result is None else (result.trials_judged, result.erred)
    before, then = (Trials(), 0) if pinned is None else (pinned.judged, pinned.erred)
    if is_sampled:
        sides = row.proof.sides if row.proof is not None else TwoSides()
        are_all = sides.baseline == before
        return sides.baseline, sides.now, (then if are_all else 0, since)
    return before, now, (then, since)
