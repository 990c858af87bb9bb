"""Which cases a change makes run, and whose kept answers it has judged again."""

from collections.abc import Container, Iterable

from evaltui.core.agent import Agent
from evaltui.core.case import CaseKey
from evaltui.core.staleness import Degree, DueCase
from evaltui.session.due_cases import DueCases
from evaltui.session.money.free_agent import is_free
from evaltui.session.money.spending import Spending
from evaltui.session.trials.audit import Audit
from evaltui.store.board import Board


class CasesToRun:
    """Of one agent, as things stand now."""

    def __init__(
        self, agent: Agent, board: Board, due: DueCases, spending: Spending, audit: Audit
    ) -> None:
        self._agent, self._board, self._due = agent, board, due
        self._spending, self._audit = spending, audit

    def of_save(self) -> dict[CaseKey, None]:
        """Those that a save has the agent asked, as an ordered set."""
        expensive, rows = self.expensive(), self._board.rows
        failed = self._audit.must_run()
        due = self._by_itself(self._due.saved, expensive, failed)
        return {key: None for key in due if key not in expensive or rows[key].result is not None}

    def at_all(self) -> dict[CaseKey, None]:
        """With those that were due already before it."""
        return self._by_itself(self._due.cases, self.expensive())

    def expensive(self) -> frozenset[CaseKey]:
        """Those that are due and cost money, whatever the agent costs."""
        return self._spending.estimator.expensive_beside_agent(self._board, self._due.keys)

    def to_judge_of_save(self) -> list[CaseKey]:
        """Those whose kept answers a save has judged again."""
        return _to_judge(self._due.saved)

    def to_judge(self) -> list[CaseKey]:
        """With those of changes before it."""
        return _to_judge(self._due.cases)

    def _by_itself(
        self,
        cases: Iterable[DueCase],
        expensive: Container[CaseKey],
        failed: Container[CaseKey] = (),
    ) -> dict[CaseKey, None]:
        is_paid = not is_free(self._agent, self._board)
        return due_by_itself(cases, expensive, self._unasked(), failed, is_paid=is_paid)

    def _unasked(self) -> frozenset[CaseKey]:
        """Those that are due and take no asking."""
        return self._spending.estimator.unasked(self._board, self._due.keys)


def due_by_itself(
    cases: Iterable[DueCase],
    expensive: Container[CaseKey] = (),
    unasked: Container[CaseKey] = (),
    failed: Container[CaseKey] = (),
    *,
    is_paid: bool,
) -> dict[CaseKey, None]:
    """What a change makes an agent be asked without anybody wanting it, as an ordered set.

    One that costs money (`is_paid`) is asked what the change affects, and of what it may affect
    those that `failed`; one that is free, all of it, and what never ran; `expensive` are cases that
    cost money all the same, `unasked` those for which it is not asked at all. What is only to be
    judged again is asked of neither, nor what may be the agent's own doing.
    """
    due: dict[CaseKey, None] = {}
    for case in cases:
        if case.may_be_its_doing:
            continue
        if case.key in unasked or not (is_paid or case.key in expensive):
            is_due = case.degree in _DUE_WHEN_FREE
        else:
            is_due = case.degree is Degree.AFFECTED or case.key in failed
        if is_due:
            due[case.key] = None
    return due


_DUE_WHEN_FREE = frozenset({Degree.AFFECTED, Degree.POSSIBLY, Degree.NEVER_RUN})


def _to_judge(cases: Iterable[DueCase]) -> list[CaseKey]:
    to_judge = (case for case in cases if case.degree is Degree.TO_JUDGE)
    return [case.key for case in to_judge if not case.may_be_its_doing]
