"""The only place where verdicts are summed up."""

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from evaltui.core.outcome import Outcome
from evaltui.core.response import Turn
from evaltui.core.result import CaseStatus
from evaltui.core.verdict import Kind, Verdict, VerdictStatus

ALL_PASSED = "All evaluators passed"
"""The reason of every pass, also where nothing was asserted (the evaluators' contract, R25)."""


def aggregate(verdicts: Sequence[Verdict]) -> Outcome:
    """The first verdict that gates decides; an error in a check is an error of the case.

    Assertions that were skipped count as skipped, never as run (contract A31 to A33). The score is
    the lowest value of an assertion. Metrics are collected by check and decide nothing.
    """
    run = skipped = 0
    tokens: list[str] = []
    metrics: dict[str, int | float] = {}
    score: float | None = None
    decisive: Verdict | None = None
    for verdict in verdicts:
        if verdict.kind is Kind.METRIC:
            if verdict.value is not None:
                metrics[verdict.check] = verdict.value
            continue
        if verdict.status is VerdictStatus.SKIPPED:
            skipped += 1
        else:
            run += 1
        if verdict.value is not None:
            score = verdict.value if score is None else min(score, verdict.value)
        if decisive is None and verdict.gates:
            decisive = verdict
        tokens += verdict.skipped_tokens
    status, reason, category = CaseStatus.PASSED, ALL_PASSED, ""
    if decisive is not None:
        is_error = decisive.status is VerdictStatus.ERROR
        status = CaseStatus.ERROR if is_error else CaseStatus.FAILED
        reason, category = decisive.reason, decisive.category or "assertion"
    return Outcome(
        status=status,
        reason=reason,
        category=category,
        score=score,
        metrics=metrics,
        assertions_run=run,
        assertions_skipped=skipped,
        skipped_tokens=tuple(tokens),
        verdicts=tuple(verdicts),
    )


def aggregate_turns(turns: Sequence[Turn]) -> Outcome:
    """The verdicts of the last turn decide. An assertion that held in an earlier turn did run,
    also where it has nothing to look at in the last. `turns`: at least one."""
    ran: dict[tuple[str, int], bool] = {}
    for turn in turns:
        uses = Counter[str]()
        for verdict in turn.verdicts:
            if verdict.kind is Kind.METRIC:
                continue
            # The same evaluator may judge twice, with other settings.
            use = verdict.check, uses[verdict.check]
            uses[verdict.check] += 1
            ran[use] = ran.get(use, False) or verdict.status is not VerdictStatus.SKIPPED
    run = sum(ran.values())
    last = aggregate(turns[-1].verdicts)
    return replace(last, assertions_run=run, assertions_skipped=len(ran) - run)
