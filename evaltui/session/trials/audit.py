"""Draws some of the cases that an edit only possibly affects, so that the rest can be bounded."""

import os
from collections.abc import Collection, Iterator
from hashlib import blake2b

from evaltui.core.audited import Audited, Draw
from evaltui.core.case import CaseKey
from evaltui.core.result import CaseStatus
from evaltui.core.staleness import Degree
from evaltui.session.due_cases import DueCases
from evaltui.session.money.free_agent import is_free
from evaltui.session.money.spending import Cause, Spending
from evaltui.session.project_state import ProjectState
from evaltui.store.board import Board


class Audit:
    """Of one agent. The random order of its cases is settled before anything is known of an edit:
    who is drawn does not depend on it."""

    def __init__(
        self, board: Board, due: DueCases, state: ProjectState, spending: Spending
    ) -> None:
        self._agent, self._board, self._due = due.agent, board, due
        self._state, self._spending = state, spending
        self._salt = os.urandom(16)
        self._others: tuple[CaseKey, ...] = ()
        """That the last edit possibly affects, in random order."""

    def begin_save(self) -> None:
        """Another edit comes: another order."""
        self._salt, self._others = os.urandom(16), ()
        self._spending.begin_save(self._agent.name)

    def must_run(self) -> frozenset[CaseKey]:
        """Those that the save possibly affects and that failed: it may be for them."""
        if is_free(self._agent, self._board):
            return frozenset()
        return frozenset(self._possibly(CaseStatus.FAILED))

    def draw(self, certain: Collection[CaseKey]) -> Draw | None:
        """So many of what the save possibly affects as the settings say and the guard of money
        lets; `None`: none. `certain`: cases that run in any case."""
        number = self._state.config.regressions.audit
        if is_free(self._agent, self._board) or not number:
            return None
        without = frozenset(certain)
        passed = (key for key in self._possibly(CaseStatus.PASSED) if key not in without)
        self._others = tuple(sorted(passed, key=self._rank))
        drawn = self._others[:number]
        keys = {*certain, *drawn}
        if not drawn or not self._spending.may_run(Cause.SAVED, self._agent, self._board, keys):
            return None
        return Draw(drawn, len(self._others), rest=self._others[number:])

    def draw_more(self, audited: Audited | None) -> Draw | None:
        """After a run that told of some, so many of those that are left; `None`: none."""
        limits = self._state.config.regressions
        if audited is None or not limits.audit_idle:
            return None
        left = frozenset(self._possibly(CaseStatus.PASSED))
        others = tuple(key for key in self._others if key in left)
        drawn, rest = others[: limits.audit], others[limits.audit :]
        if not drawn or not self._spending.may_go_on(self._agent, self._board, drawn):
            return None
        return Draw(drawn, audited.others, audited, rest)

    def _possibly(self, status: CaseStatus) -> Iterator[CaseKey]:
        """Cases that the save possibly affects and that count, with such a result; without those
        that were due before it for a better reason."""
        rows = self._board.rows
        possibly = {one.key for one in self._due.cases if one.degree is Degree.POSSIBLY}
        for case in self._due.saved:
            row = rows.get(case.key)
            if case.key not in possibly or row is None or row.muted or row.result is None:
                continue
            is_possibly = case.degree is Degree.POSSIBLY and not case.may_be_its_doing
            if is_possibly and row.result.status is status:
                yield case.key

    def _rank(self, key: CaseKey) -> bytes:
        name = str(key).encode("utf-8", "surrogatepass")
        return blake2b(name, key=self._salt, digest_size=8).digest()
