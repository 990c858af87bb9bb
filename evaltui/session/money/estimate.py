"""What a run would cost and take, estimated from earlier runs of its cases."""

from collections.abc import Callable, Collection, Iterable

from msgspec import Struct

from evaltui.core.agent import Agent
from evaltui.core.case import Case, CaseKey
from evaltui.core.config import Config
from evaltui.kinds import asks_judge, is_never_asked, settled
from evaltui.session.judge_in_force import JudgeInForce
from evaltui.session.money.budgets import Budgets
from evaltui.session.money.free_agent import is_free
from evaltui.session.project_state import ProjectState
from evaltui.store.board import Board
from evaltui.store.known_costs import KnownCosts

FEW = 20
"""Trials that tell whether what is taken to be free is: so many are made without asking."""


class Estimate(Struct, frozen=True):
    """What a run would take; `None` where nothing is known yet."""

    cases: int
    """Trials for which an agent is asked, a conversation with all its turns as one, or kept answers
    that are judged; what is only read is none."""
    cost_usd: float | None
    seconds: float | None
    never_run: int = 0
    """Cases of which that is a guess from others, of an agent that costs money."""
    asks_first: bool = False
    """Whether somebody has to agree: it is neither free nor known to be cheap, or these are many
    trials of what is taken to be free."""
    left_usd: float | None = None
    """What may be spent still; `None` where nothing limits it."""
    may_tell_costs: bool = False
    """Whether an agent that runs without asking may say what it costs, and has not been asked; its
    profile does not say that it is free."""
    is_taken_free: bool = False
    """Whether nobody ever said of one of these that it is free: before it is asked more than `FEW`
    times, somebody has to agree."""
    is_untold: bool = False
    """Whether something that costs money has answered already, and told no cost: what it costs is
    not known after another run either."""

    @property
    def without_sum(self) -> str:
        """What is said where there is no `cost_usd`."""
        if self.asks_first and not self.is_taken_free:
            return "cost unknown"  # of one agent at least
        return "cost not known yet" if self.may_tell_costs else "free"


class Estimator:
    """Knows what costs money, whoever asks."""

    def __init__(self, state: ProjectState, judge: JudgeInForce, budgets: Budgets) -> None:
        self._state, self._judge, self._budgets = state, judge, budgets

    def expensive_to_ask(
        self, agent: Agent, board: Board, keys: Iterable[CaseKey]
    ) -> frozenset[CaseKey]:
        """Those of the cases for which an agent is asked that costs money."""
        if is_free(agent, board):
            return frozenset()
        return frozenset(keys) - self.unasked(board, keys)

    def unasked(self, board: Board, keys: Iterable[CaseKey]) -> frozenset[CaseKey]:
        """Those of the cases for which the agent is not asked: what happened is written there, or
        what becomes of them is certain, as of a rubric without a judge."""
        has_judge, rows = self._has_judge, board.rows
        return frozenset(
            key
            for key in keys
            if (row := rows.get(key)) is not None
            and (not row.case.asks_agent or settled(row.case, has_judge=has_judge) is not None)
        )

    def to_run(self, board: Board, keys: Iterable[CaseKey]) -> tuple[CaseKey, ...]:
        """Those of the cases that a run of them counts: without what it asks and judges nothing
        of."""
        has_judge, rows = self._has_judge, board.rows
        return tuple(
            key
            for key in keys
            if (row := rows.get(key)) is None or not is_never_asked(row.case, has_judge=has_judge)
        )

    @property
    def _has_judge(self) -> bool:
        return self._judge.agent is not None

    def expensive_to_judge(self, board: Board, keys: Iterable[CaseKey]) -> frozenset[CaseKey]:
        """Those of the cases whose verdict costs money, whatever the answer costs."""
        return self._expensive_where(asks_judge, board, keys)

    def expensive_beside_agent(self, board: Board, keys: Iterable[CaseKey]) -> frozenset[CaseKey]:
        """Those of the cases that cost money when they are run, whatever the agent costs: for their
        verdict, or for the model that plays the user."""
        return self._expensive_where(lambda case: case.takes_model, board, keys)

    def _expensive_where(
        self, takes_it: Callable[[Case], bool], board: Board, keys: Iterable[CaseKey]
    ) -> frozenset[CaseKey]:
        if self._judge.is_free:
            return frozenset()
        rows = ((key, board.rows.get(key)) for key in keys)
        return frozenset(key for key, row in rows if row is not None and takes_it(row.case))

    def estimate(
        self,
        asked: Collection[tuple[Agent, Board]],
        keys: Collection[CaseKey],
        trials: int | None = None,
        *,
        once: Collection[CaseKey] = frozenset(),
        is_rejudging: bool = False,
    ) -> Estimate:
        """From what the cases took last time, else from what others of the agent took: costs of all
        agents are added; agents run side by side, so the slowest one tells the time. Without
        `trials`, as often as the settings say; those of `once` a single time.
        `is_rejudging`: only a judge is asked; what a case cost with its answer counts.
        """
        config = self._state.config

        def attempts(some: Collection[CaseKey]) -> int:
            single = sum(key in once for key in some)
            return (len(some) - single) * (trials or config.trials) + single

        calls, reported_usd = 0, list[float]()
        may_tell_costs = is_taken_free = is_untold = False
        expensive_to_model = (
            self.expensive_to_judge if is_rejudging else self.expensive_beside_agent
        )
        costs: list[float | None] = []
        seconds: list[float] = []
        never_run = 0
        for agent, board in asked:
            none = self.unasked(board, keys)
            lasting = [key for key in keys if key not in none]
            calls += attempts(keys if is_rejudging else lasting)
            known = KnownCosts.of(board.rows, lasting)
            if known.seconds is not None:
                seconds.append(known.seconds * attempts(lasting) / max(1, config.concurrency))
            asked_keys = self.expensive_to_ask(agent, board, keys)
            if asked_keys and not is_rejudging:
                known = KnownCosts.of(board.rows, asked_keys)
                paid = attempts(asked_keys)
                costs.append(None if known.cost_usd is None else known.cost_usd * paid)
                is_untold |= known.tells_none
                never_run = max(never_run, known.never_run)
            elif expensive := expensive_to_model(board, keys):
                judged = KnownCosts.of(board.rows, expensive)
                many = attempts(expensive)
                costs.append(None if judged.cost_usd is None else judged.cost_usd * many)
                is_untold |= judged.tells_none
                never_run = max(never_run, judged.never_run)
            if lasting and not is_rejudging and _tells_costs(agent, board):
                reported = KnownCosts.of(board.rows, lasting)
                may_tell_costs |= reported.seconds is None and not agent.traits.is_said_free
                is_taken_free |= reported.seconds is None and agent.traits.is_taken_free
                if reported.cost_usd is not None:
                    reported_usd.append(reported.cost_usd * attempts(lasting))
        cost = None if None in costs else sum(usd for usd in costs if usd is not None)
        left = [
            self._budgets.budget(agent.name).left_usd
            for agent, board in asked
            if not is_free(agent, board)
        ]
        # The costs of some of the agents are no estimate of all that is spent.
        is_known = cost is not None and bool(costs or reported_usd) and not may_tell_costs
        return Estimate(
            cases=calls,
            cost_usd=(cost or 0.0) + sum(reported_usd) if is_known else None,
            seconds=max(seconds) if seconds else None,
            never_run=never_run,
            asks_first=(bool(costs) and (needs_confirmation(cost, config) or never_run > 1))
            or (is_taken_free and calls > FEW),
            left_usd=min((usd for usd in left if usd is not None), default=None),
            may_tell_costs=may_tell_costs,
            is_taken_free=is_taken_free,
            is_untold=is_untold,
        )


def needs_confirmation(cost_usd: float | None, config: Config) -> bool:
    """Whether somebody has to agree to what costs money: how much is unknown, or it is more than is
    spent without asking."""
    return cost_usd is None or cost_usd > config.confirm_above


def _tells_costs(agent: Agent, board: Board) -> bool:
    """Of one that runs without asking, whether its answers may cost something all the same."""
    traits = agent.traits
    may_tell = traits.may_tell_costs and not traits.is_deterministic
    return may_tell and is_free(agent, board)
