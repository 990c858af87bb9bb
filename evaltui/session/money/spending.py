"""The one guard of money: may this run now, and what may it cost?"""

from collections.abc import Collection
from enum import StrEnum

from evaltui.core.agent import Agent
from evaltui.core.case import CaseKey
from evaltui.session.judge_in_force import JudgeInForce
from evaltui.session.money.allowance import Allowance, is_unpriced
from evaltui.session.money.budgets import Budgets
from evaltui.session.money.estimate import Estimator
from evaltui.session.project_state import ProjectState
from evaltui.store.board import Board


class Cause(StrEnum):
    """What wants something to run; a person who asks for it was shown the estimate."""

    OPENED = "opened"
    """Nobody yet: the project was opened and results are missing or out of date."""
    SAVED = "saved"
    """A file was saved while watching."""


class Spending:
    """Everything that starts a run asks here first: opening, a save, a person."""

    def __init__(self, state: ProjectState, judge: JudgeInForce) -> None:
        self._state = state
        self.budgets = Budgets(state)
        self.estimator = Estimator(state, judge, self.budgets)
        self._by_itself: dict[str, float] = {}
        """What the last save had each agent spend without anybody asking for it."""

    def may_run(self, cause: Cause, agent: Agent, board: Board, keys: Collection[CaseKey]) -> bool:
        """Whether these cases may be run now, for that cause, without asking anybody first."""
        match cause:
            case Cause.OPENED:  # without an estimate of all cases, which takes its time
                return not (
                    self.estimator.expensive_to_ask(agent, board, keys)
                    or self.estimator.expensive_beside_agent(board, keys)
                )
            case Cause.SAVED:
                return not self.estimator.estimate([(agent, board)], keys).asks_first

    def may_judge(
        self, cause: Cause, agent: Agent, board: Board, keys: Collection[CaseKey]
    ) -> bool:
        """Whether the kept answers to these cases may be judged again now, without asking first."""
        match cause:
            case Cause.OPENED:
                return not self.estimator.expensive_to_judge(board, keys)
            case Cause.SAVED if not keys:
                return True
            case Cause.SAVED:
                return not self.estimator.estimate(
                    [(agent, board)], keys, 1, is_rejudging=True
                ).asks_first

    def allowed(
        self, cause: Cause, agent: Agent, board: Board, keys: Collection[CaseKey]
    ) -> dict[CaseKey, None] | None:
        """Those of the cases that may be run now: all, else all but those that are dear whatever
        the agent costs, else those of which it is not asked; `None` when none may."""
        if self.may_run(cause, agent, board, keys):
            return dict.fromkeys(keys)
        expensive = self.estimator.expensive_beside_agent(board, keys)
        for refused in (expensive, expensive | self.estimator.expensive_to_ask(agent, board, keys)):
            others = {key: None for key in keys if key not in refused}
            if refused and others and self.may_run(cause, agent, board, others):
                return others
        return None

    def may_go_on(
        self, agent: Agent, board: Board, keys: Collection[CaseKey], spent_usd: float = 0.0
    ) -> bool:
        """Whether these may be run too, without asking, of what nobody asked for: together with
        what the save had run before, and with what the run under way spent, they cost no more than
        a run may that is not asked about."""
        found = self.estimator.estimate([(agent, board)], keys)
        spent = self._by_itself.get(agent.name, 0.0) + spent_usd
        if self.estimator.expensive_to_ask(agent, board, keys) and is_unpriced(
            self.budgets.budget(agent.name)
        ):
            return False
        most = self._state.config.confirm_above
        return not found.asks_first and (found.cost_usd or 0.0) + spent <= most

    def begin_save(self, name: str) -> None:
        """What is spent from now on, without anybody asking for it, is another save's."""
        self._by_itself[name] = 0.0

    def spend_by_itself(self, name: str, usd: float) -> None:
        self._by_itself[name] = self._by_itself.get(name, 0.0) + usd

    def allowance(
        self, agent: Agent, board: Board, keys: Collection[CaseKey], trials: int, *, rejudges: bool
    ) -> Allowance | None:
        """What these may spend that a save has run by itself; `None`: they cost nothing."""
        expensive = self.estimator.expensive_to_judge(board, keys)
        if not rejudges:
            expensive = self.estimator.expensive_beside_agent(board, keys)
            expensive |= self.estimator.expensive_to_ask(agent, board, keys)
        if not expensive:
            return None
        found = self.estimator.estimate([(agent, board)], expensive, trials, is_rejudging=rejudges)
        each = (found.cost_usd or 0.0) / max(1, found.cases)
        left = self._state.config.confirm_above - self._by_itself.get(agent.name, 0.0)
        return Allowance(self.budgets.budget(agent.name), left, each, expensive)
