"""Which cases a change has run, and of which of them the agent is not asked."""

from collections.abc import Container, Iterable

from evaltui.core.agent import Agent
from evaltui.core.case import CaseKey
from evaltui.core.staleness import Degree, StaleCase
from evaltui.store.board import Board


def unasked(board: Board, keys: Iterable[CaseKey]) -> frozenset[CaseKey]:
    """Those of the cases for which the agent is not asked: what happened is written there."""
    rows = ((key, board.rows.get(key)) for key in keys)
    return frozenset(key for key, row in rows if row is not None and not row.case.asks_agent)


def due_by_itself(
    agent: Agent,
    stale: Iterable[StaleCase],
    dear: Container[CaseKey] = (),
    unasked: Container[CaseKey] = (),
    failed: Container[CaseKey] = (),
) -> dict[CaseKey, None]:
    """What a change makes an agent be asked without anybody wanting it, as an ordered set.

    One that costs money is asked what the change affects, and of what it may affect those that
    `failed`; one that is free, all of it, and what never ran; `dear` are cases whose verdict costs
    money all the same, `unasked` those for which it is not asked at all. What is only to be judged
    again is asked of neither.
    """
    due: dict[CaseKey, None] = {}
    for case in stale:
        if case.key in unasked or (agent.traits.is_free and case.key not in dear):
            is_due = case.degree in _DUE_WHEN_FREE
        else:
            is_due = case.degree is Degree.AFFECTED or case.key in failed
        if is_due:
            due[case.key] = None
    return due


_DUE_WHEN_FREE = frozenset({Degree.AFFECTED, Degree.POSSIBLY, Degree.NEVER_RUN})
