"""The money of one run: noted before it is sent, and held to what a save may spend by itself."""

from collections.abc import Collection, Iterable

from evaltui.core.agent import Agent
from evaltui.core.agent_name import ALL_JUDGING
from evaltui.core.case import CaseKey
from evaltui.core.events import SpendingChanged
from evaltui.core.spent import Spent
from evaltui.session.money.spending import Spending
from evaltui.session.project_state import ProjectState
from evaltui.session.running.run_request import RunRequest
from evaltui.store.board import Board


class RunSpending:
    """Notes from `begin` to `stop`."""

    def __init__(
        self,
        run_id: str,
        request: RunRequest,
        agent: Agent,
        board: Board,
        state: ProjectState,
        spending: Spending,
        keys: Iterable[CaseKey],
    ) -> None:
        """`keys` are those of the request that the run is about."""
        self._run_id, self._agent, self._board = run_id, agent, board
        self._record, self._spending = state.record, spending
        self._is_agreed = request.confirms == "agreed"
        self._budget = spending.budgets.budget(agent.name)
        # What the interrupted run spent is in it already, and what judging for this one did.
        self._before_usd = 0.0 if request.spent else self._budget.spent_usd
        self._noted = Spent()
        is_paid = request.trigger and request.asks_judge
        by_itself = request.while_due.intersection(keys) if is_paid else ()
        self.allowance = (
            spending.allowance(
                agent, board, by_itself, request.trials, rejudges=request.is_rejudging
            )
            if by_itself
            else None
        )
        """Of what nobody asked for; `None` where there is none of that, or it costs nothing."""
        self._left = frozenset[CaseKey]()

    @property
    def spent(self) -> Spent:
        return self._budget.spent_since(self._before_usd)

    @property
    def held(self) -> frozenset[CaseKey]:
        """What was to run by itself, and would have cost more than a save may spend so."""
        return self._left.union(self.allowance.held) if self.allowance is not None else self._left

    def begin(self) -> None:
        self._noted = self._budget.if_lost(self._before_usd)
        self._budget.on_change = self._note

    def stop(self) -> None:
        self._budget.on_change = None

    def settle(self) -> None:
        """Note what all of it came to."""
        self._note_of_command(self._budget.spent_since(0.0))
        if self.allowance is not None:
            self._spending.spend_by_itself(self._agent.name, self.allowance.spent_usd)

    def leave(self, keys: Collection[CaseKey]) -> None:
        """These are not judged, as that would cost more."""
        self._left = frozenset(keys)

    def may_go_on(self, keys: Collection[CaseKey]) -> bool:
        """Whether these may be tried again: agreed to, or within what nobody is asked about."""
        if self._is_agreed:
            return True
        spent = self._budget.spent_usd - self._before_usd
        return self._spending.may_go_on(self._agent, self._board, keys, spent)

    def _note(self) -> None:
        """Before it is sent, so that what a killed run asked is known to who goes on with it."""
        spent = self._budget.if_lost(self._before_usd)
        if spent != self._noted:
            self._noted, budget = spent, self._budget
            event = SpendingChanged(self._agent.name, budget.spent_usd, budget.left_usd, run=spent)
            self._record.journal.note(self._run_id, event)
            self._note_of_command(budget.if_lost(0.0))

    def _note_of_command(self, spent: Spent) -> None:
        """A command has a session of its own: all that its agents spent there is its."""
        if (command := self._record.command) is not None:
            command.note(self._agent.name, spent)
            command.note(ALL_JUDGING, self._spending.budgets.of_judging)
